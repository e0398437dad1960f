// Declares what integrations are written with: a manifest, and tools as rows. Both are data.
import * as z from 'zod';
import type { Access } from './access.ts';
import type { Actor, Identity } from './actor.ts';
import type { Egress } from '../egress/door.ts';
import type { ToolFiles } from './files.ts';
import type { ApiBlock, Auth, InstanceBlock, Probe, Revoke, TokenWay } from './manifest.ts';
import type { Clock } from '../ports/clock.ts';
import type { Span } from '../ports/telemetry.ts';
import type { HookRecipe } from './hooks.ts';
import type { Lease } from '../memory/budget.ts';
import type { Words } from './words.ts';
import { mendArguments } from './mend-arguments.ts';
import type { ToolApp, Visibility } from './tool-app.ts';
import { describeIssues, type JsonSchema, namingKeys, portableSchema } from './validation.ts';

export type { Access } from './access.ts';

/** A call below the integration's API base. The gateway adds the credential. */
export interface UpstreamCall {
  method: string;
  /** The name of an entry of `api.others` in the manifest, to use instead of the base. */
  at?: string;
  /** The path after the base. It starts with a slash and is percent-encoded already. */
  path: string;
  query?: URLSearchParams;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | null;
  /** The limit for the whole exchange, when it is not that of every call. */
  timeoutMs?: number;
  /** Ends this call, beside the signal of the execution. */
  signal?: AbortSignal | undefined;
  /** Told what removes the credential of the call from a text that the upstream has written. */
  onSent?: ((redact: (text: string) => string) => void) | undefined;
}

export type Upstream = (call: UpstreamCall) => Promise<Response>;

/** How far a call has come. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** The calling user and the request of the call. */
export interface Caller {
  userId: string;
  /** The request id of the log. */
  requestId?: string | undefined;
  /** Aborts when the client disconnects and thereby cancels the call, and when the person's access ends. */
  signal?: AbortSignal | undefined;
  /** Aborts when the person's access ends. That ends what changes something too. */
  ended?: AbortSignal | undefined;
  /** What is read for the call is charged to this lease. */
  lease?: Lease | undefined;
  /** Set when the client wants to know how far the call has come. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Told the result as the server of an imported tool has given it. */
  onAnswer?: ((answer: Readonly<Record<string, unknown>>) => void) | undefined;
  /** What is done for the call is recorded below this span. Absent where nothing is traced. */
  span?: Span | undefined;
}

/** A caller whose credential the gateway has checked. Tools see the name of the actor only, see `ToolContext`. */
export interface KnownCaller extends Caller, Omit<Identity, 'userId'> {}

export interface CallContext extends Caller {
  clock: Clock;
}

export interface MetaContext extends CallContext, Omit<Identity, 'userId'> {}

export interface ToolContext extends CallContext {
  upstream: Upstream;
  /** Fetches any public address through the egress guard, without a credential. A cancelled read aborts it, like `upstream`. */
  fetch: Egress['fetch'];
  /** The kept files of the caller: bytes travel between tools without passing through a model. */
  files: ToolFiles;
  /** Names the caller, for the built-in tools that note it. */
  by?: Pick<Actor, 'id' | 'name'>;
  /** The whole caller, for the built-in tools that call other tools later in its name. */
  caller?: KnownCaller;
  /** Makes a key for a request, by its method and path, where the call runs once and its service takes such a key. */
  providerKey?: ((request: string) => string) | undefined;
  /** Names the stored connection of an import: another sign-in has another one. Empty where nothing is connected. */
  grant?: string;
  /** Names the account that the call uses, as its connection does. Empty where nothing is connected. */
  account?: string;
  /** What the person chose when they connected, such as a region. It has no secrets. */
  readConfig?: () => Readonly<Record<string, string>>;
  /** The trace that a server which has no headers is asked to continue. */
  passedOn?: Readonly<Record<string, string>> | undefined;
}

export type OpenToolFiles = (caller: Caller) => ToolFiles;

export type Parsed = { ok: true; value: unknown } | { ok: false; message: string };

export interface OneRequest {
  method: string;
  /** Follows the base. `{name}` stands for an argument. */
  path: string;
  /** Where the base of this request is another one than that of its integration. */
  base?: string;
}

/** What a script says beside its result. */
export interface ScriptNote {
  run: string;
  /** What it has logged. Absent where it logged nothing. */
  log?: string;
}

/** How a tool ends that calls other tools. */
export type CallsEnd =
  | { kind: 'success'; result: unknown; script: ScriptNote }
  | { kind: 'failed'; message: string; script?: ScriptNote }
  /** One of its calls waits for a person. */
  | {
      kind: 'asked';
      message: string;
      approval: { id: string; url: string; expiresAt: number };
      script: ScriptNote;
    };

/** What the engine runs: a row, a meta-tool, or an imported tool with its own JSON Schema. */
export interface Tool<Context extends CallContext = ToolContext> {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  readonly schema: JsonSchema;
  /** The request that the tool sends, when it sends exactly one. */
  readonly request?: OneRequest;
  /** What the server of an imported tool calls it. */
  readonly source?: string;
  /** Names the pinned definition of an imported tool: a changed definition is another tool. */
  readonly digest?: string;
  /** The page with which an imported tool shows itself. */
  readonly app?: ToolApp;
  /** Says who may call an imported tool. Without it, the model and the page. */
  readonly visibility?: readonly Visibility[];
  /** What the server of an imported tool says for lists. */
  readonly listed?: { title?: string; idempotent?: boolean; openWorld?: boolean };
  /** Whether the tool reaches texts of others, where its integration usually says the opposite. */
  readonly openWorld?: boolean;
  /** The schema of the structured value that each call of an imported tool gives. */
  readonly output?: { schema: JsonSchema; fits: (value: unknown) => boolean };
  /**
   * The methods that the service may take a raw request for, the one that is sent first. They decide the access of the call.
   * The value is what `parse` returned.
   */
  methodsOf?(value: unknown): readonly string[];
  /**
   * The methods that the service may take the request of this call for beside its own. They add to the access of the tool.
   * The value is what `parse` returned.
   */
  otherMethodsOf?(value: unknown): readonly string[];
  parse(args: unknown): Parsed;
  /** Takes the value that `parse` returned. */
  run(value: unknown, context: Context): unknown;
  /**
   * Runs in place of `run` for a tool that calls other tools as its caller. Each of its calls is judged by itself, so its own access
   * is `read` although it may change something. `begun` names what an earlier call of the same value has begun, as its `script.run`
   * does: the tool goes on with that, or says how it has ended.
   */
  runAs?(value: unknown, caller: KnownCaller, begun?: string): Promise<CallsEnd>;
}

/** The part of a tool by which a raw request is judged that could do the same. */
export type RawTool = Pick<Tool, 'name' | 'access' | 'request' | 'methodsOf'>;

export interface Integration {
  readonly name: string;
  readonly version: string;
  /** The name in the gateway's own sentences, which agents read. It never has words that a service has chosen. */
  readonly displayName: string;
  /** What lists and headings show in its place. */
  readonly title?: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** An SVG that we drew ourselves. */
  readonly logo: string | null;
  readonly auth: Auth;
  /** Its tools reach nothing outside of the gateway. */
  readonly isClosed?: true;
  readonly instance?: InstanceBlock;
  readonly api?: ApiBlock;
  /** Only for an integration with OAuth. */
  readonly token?: TokenWay;
  readonly probe?: Probe;
  readonly revoke?: Revoke;
  /** How its service sends webhooks. */
  readonly hooks?: HookRecipe;
  /** Words for the search. An integration that somebody has added has none. */
  readonly words?: Words;
  readonly tools: readonly Tool[];
  /** Each person may have further tools of it. */
  readonly isPersonal?: true;
  /** Set for an integration that somebody has added at run time. */
  readonly imported?: Imported;
}

export const titleOf = ({ title, displayName }: Pick<Integration, 'title' | 'displayName'>): string =>
  title ?? displayName;

export interface Imported {
  /** A connection belongs to this import alone: another import of the same name never uses it. */
  id: string;
  kind: 'mcp' | 'openapi';
  for: 'me' | 'everyone';
  /** The tools that the import leaves out and those that wait for a person. A raw request could do what they do. */
  unlisted?: readonly RawTool[];
  /** The accepted tools that only the pages of the server may call. No list shows them, and no model finds them. */
  forApps?: readonly Tool[];
  /**
   * Ask the server for its prompts and for its resources. They take a method of MCP with its `params` and give its result. No
   * list shows them, and no name finds them.
   */
  relays?: { prompts: Tool; resources: Tool };
}

/** People choose the names of imports, so these must not become labels of metrics and traces. */
export const integrationLabel = ({ imported, name }: Pick<Integration, 'imported' | 'name'>): string =>
  imported === undefined ? name : 'imported';

export function defineIntegration(integration: Integration): Integration {
  return integration;
}

/**
 * Makes a tool from one row: name, description, arguments and handler. It refuses unknown arguments and applies defaults.
 * The arguments are built at their first use: hundreds of schemas would slow every start, and most are never used.
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
  const schemaHere = () => (schema ??= portableSchema(validator()));
  return {
    name,
    description,
    access,
    get schema() {
      return schemaHere();
    },
    parse(args) {
      const parsed = validator().safeParse(args, namingKeys);
      if (parsed.success) return { ok: true, value: parsed.data };
      const mended = mendArguments(args, schemaHere());
      const again = mended === args ? parsed : validator().safeParse(mended, namingKeys);
      return again.success
        ? { ok: true, value: again.data }
        : { ok: false, message: describeIssues(again.error) };
    },
    run: (value, context) =>
      // `parse` of this tool made the value, so it has the shape's output type.
      run(value as z.output<z.ZodObject<Shape, z.core.$strict>>, context),
  };
}

/** A tool that runs in the gateway itself, without an upstream. */
export type MetaTool = Tool<MetaContext>;
