// Declares what a feature says about its routes in the OpenAPI description. reference: OpenAPI; decision: 037
import * as z from 'zod';

/** The credentials that a route accepts. reference: Authentication */
export type CallerKind = 'session' | 'portal' | 'machine' | 'service' | 'curl' | 'anyone';

/** The names of the schemas that many routes share. */
export type SharedSchema = keyof ReturnType<typeof sharedSchemas>;

export interface Reply {
  description: string;
  /** Absent for a reply without a body, and for a body that no schema describes. */
  schema?: z.ZodType | SharedSchema;
  /** The default is JSON. */
  mediaType?: string;
  /** What the caller may ask for instead. */
  otherMediaType?: string;
}

export interface Operation {
  /** Generated clients name a function after it, so it never changes. */
  id: string;
  tag: string;
  /** One line. */
  summary: string;
  description?: string;
  access: 'read' | 'write' | 'destroy';
  caller: CallerKind;
  /** Each field becomes a query parameter. */
  query?: z.ZodObject;
  /** Each field becomes a header. */
  headers?: z.ZodObject;
  body?: { schema: z.ZodType; example?: unknown; optional?: boolean };
  replies: Readonly<Record<number, Reply>>;
}

/** A method and the pattern of a route, as the route is mounted. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** A schema that several operations have, by a name for generated clients. */
export interface SharedSchemaName {
  name: string;
  schema: z.ZodType;
  io: 'input' | 'output';
}

/** The operations of a feature. A function, because hundreds of schemas would slow every start. */
export type Operations = () => Readonly<Record<RouteName, Operation>>;

export const sharedSchemas = () => ({
  Error: z.object({
    error: z.string().describe('What went wrong: a sentence, or a code beside a `message`'),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  CodedError: z.object({
    error: z.string().describe('The code'),
    code: z.string().describe('The same code'),
    message: z.string().describe('What went wrong, in a sentence'),
  }),
  Success: z.object({ success: z.literal(true) }),
});

export type Success = z.infer<ReturnType<typeof sharedSchemas>['Success']>;

export const reply = (description: string, schema: z.ZodType | SharedSchema): Reply => ({
  description,
  schema,
});
/** A reply whose body is `{error}`, or for some reasons a code with its message. */
export const failure = (description: string): Reply => reply(description, 'Error');
/** A reply whose body is always `{error, code, message}`. */
export const codedFailure = (description: string): Reply => reply(description, 'CodedError');
export const succeeded = (description: string): Reply => reply(description, 'Success');
