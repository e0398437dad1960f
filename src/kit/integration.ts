// The kit that integrations are written with: a manifest, and tools as rows. Data, not code.
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import type { ApiBlock, Auth, InstanceBlock } from './manifest.ts';
import type { Clock } from '../ports/clock.ts';
import type { Lease } from '../memory/budget.ts';
import { describeIssues, type JsonSchema, namingKeys, portableSchema } from './validation.ts';

export type Access = 'read' | 'write' | 'destroy';

/** A call below the integration's API base; the credential is added on the way. */
export interface UpstreamCall {
  method: string;
  /** One of `api.others` of the manifest, instead of the base. */
  at?: string;
  /** From the base on, starting with a slash, already percent-encoded. */
  path: string;
  query?: URLSearchParams;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | null;
}

export type Upstream = (call: UpstreamCall) => Promise<Response>;

/** Who calls, in which request. */
export interface Caller {
  userId: string;
  /** As the log has it. */
  requestId?: string | undefined;
  /** Aborts when the caller has gone, and has cancelled by that. */
  signal?: AbortSignal | undefined;
  /** What is read for the call is charged to this lease. */
  lease?: Lease | undefined;
}

export interface CallContext extends Caller {
  clock: Clock;
}

export interface ToolContext extends CallContext {
  upstream: Upstream;
  /** Any public address, through the guard, without a credential. Like `upstream` it ends when a read is cancelled. */
  fetch: Egress['fetch'];
}

export type Parsed = { ok: true; value: unknown } | { ok: false; message: string };

/** What the engine runs. Rows become one; imported tools with raw JSON Schema can be one too; so are meta-tools. */
export interface Tool<Context extends CallContext = ToolContext> {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  readonly schema: JsonSchema;
  /** Where the tool is one request. */
  readonly request?: { method: string; path: string };
  parse(args: unknown): Parsed;
  /** Takes the value that `parse` gave. */
  run(value: unknown, context: Context): unknown;
}

export interface Integration {
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** An SVG of our own. */
  readonly logo: string | null;
  readonly auth: Auth;
  readonly instance?: InstanceBlock;
  readonly api?: ApiBlock;
  readonly tools: readonly Tool[];
}

export function defineIntegration(integration: Integration): Integration {
  return integration;
}

/**
 * One row: name, sentence, arguments, what it does. Unknown arguments are refused, defaults applied. The arguments are
 * made at the first look, and kept: with hundreds of tools they would slow every start, and few are ever called.
 */
export function tool<Shape extends z.ZodRawShape, Context extends CallContext = ToolContext>(
  name: string,
  description: string,
  shape: () => Shape,
  run: (args: z.output<z.ZodObject<Shape, z.core.$strict>>, context: Context) => unknown,
  access: Access = 'read',
): Tool<Context> {
  let made: z.ZodObject<Shape, z.core.$strict> | undefined;
  let schema: JsonSchema | undefined;
  const validator = () => (made ??= z.strictObject(shape()));
  return {
    name,
    description,
    access,
    get schema() {
      return (schema ??= portableSchema(validator()));
    },
    parse(args) {
      const parsed = validator().safeParse(args, namingKeys);
      return parsed.success
        ? { ok: true, value: parsed.data }
        : { ok: false, message: describeIssues(parsed.error) };
    },
    run: (value, context) =>
      // `parse` of this same tool made the value, so it has the shape's output type.
      run(value as z.output<z.ZodObject<Shape, z.core.$strict>>, context),
  };
}

/** A meta-tool runs in the gateway itself: it has no upstream of its own. */
export type MetaTool = Tool<CallContext>;
