// The kit that integrations are written with: a manifest, and tools as rows. Data, not code.
import * as z from 'zod';
import type { Clock } from './ports/clock.ts';
import { describeIssues, type JsonSchema, portableSchema } from './validation.ts';

export type Access = 'read' | 'write' | 'destroy';
export type AuthType = 'none' | 'cookie' | 'oauth2' | 'apikey';

export interface ToolContext {
  userId: string;
  clock: Clock;
  /** Aborts when the caller has gone. */
  signal?: AbortSignal;
}

export type Parsed = { ok: true; value: unknown } | { ok: false; message: string };

/** What the engine runs. Rows become one; imported tools with raw JSON Schema can be one too. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  readonly schema: JsonSchema;
  parse(args: unknown): Parsed;
  /** Takes the value that `parse` gave. */
  run(value: unknown, context: ToolContext): unknown;
}

export interface Integration {
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** An SVG of our own. */
  readonly logo: string | null;
  readonly authType: AuthType;
  readonly tools: readonly Tool[];
}

export function defineIntegration(integration: Integration): Integration {
  return integration;
}

/** One row: name, sentence, arguments, what it does. Unknown arguments are refused, defaults applied. */
export function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (args: z.output<z.ZodObject<Shape, z.core.$strict>>, context: ToolContext) => unknown,
  access: Access = 'read',
): Tool {
  const argumentsSchema = z.strictObject(shape);
  let schema: JsonSchema | undefined;
  return {
    name,
    description,
    access,
    // Made at the first look, kept from then on: with hundreds of tools it would slow every start.
    get schema() {
      return (schema ??= portableSchema(argumentsSchema));
    },
    parse(args) {
      const parsed = argumentsSchema.safeParse(args);
      return parsed.success
        ? { ok: true, value: parsed.data }
        : { ok: false, message: describeIssues(parsed.error) };
    },
    run: (value, context) =>
      // `parse` of this same tool made the value, so it has the shape's output type.
      run(value as z.output<z.ZodObject<Shape, z.core.$strict>>, context),
  };
}
