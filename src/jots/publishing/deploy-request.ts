// Describes what a deploy does. The tool call decides it; an upload token stores it until its archive arrives.
import * as z from 'zod';

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
});

/** A patch has no settings, because it keeps those of the live jot. reference: Jot uploads */
const PatchRequest = z.object({
  kind: z.literal('patch'),
  name: z.string(),
  userId: z.string(),
  delete: z.array(z.string()),
});

export const DeployRequest = z.discriminatedUnion('kind', [ReplaceRequest, PatchRequest]);

export type ReplaceRequest = z.infer<typeof ReplaceRequest>;
export type PatchRequest = z.infer<typeof PatchRequest>;
export type DeployRequest = z.infer<typeof DeployRequest>;
