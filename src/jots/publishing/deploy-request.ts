// Describes what a deploy does. The tool call decides it; an upload token stores it until its archive arrives.
import * as z from 'zod';

/** Names who publishes. It is missing in a token from before versions were kept. */
const by = z.object({ id: z.string(), name: z.string().nullable() }).nullable().default(null);

const ReplaceRequest = z.object({
  kind: z.literal('replace'),
  name: z.string(),
  userId: z.string(),
  access: z.enum(['public', 'password']),
  /** With access "password", null keeps the password that the jot has. */
  password_hash: z.string().nullable(),
  cors: z.boolean(),
  /** Without it the request comes from a token of 0.1, which always names its choice. */
  cors_chosen: z.boolean().default(true),
  by,
});

/** A patch has no settings, because it keeps those of the live jot. reference: Jot uploads */
const PatchRequest = z.object({
  kind: z.literal('patch'),
  name: z.string(),
  userId: z.string(),
  delete: z.array(z.string()),
  /** The upload replaces all files. The settings stay. */
  whole: z.boolean().default(false),
  by,
});

export const DeployRequest = z.discriminatedUnion('kind', [ReplaceRequest, PatchRequest]);

export type ReplaceRequest = z.infer<typeof ReplaceRequest>;
export type PatchRequest = z.infer<typeof PatchRequest>;
export type DeployRequest = z.infer<typeof DeployRequest>;
/** `DeployRequest` fills in what is left out. */
export type GivenRequest = z.input<typeof DeployRequest>;
