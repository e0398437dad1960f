// Keeps in the config of a connection what was found when somebody connected. It holds no secret. decision: 045
import * as z from 'zod';
import type { ConnectionConfig } from '../../connections/model/config.ts';
import { parseStoredJson } from '../../connections/model/stored-json.ts';
import { readScopes } from './challenge.ts';

const SIGN_IN = 'signIn';
const WANTED = 'wantedScopes';

const SignIn = z.object({
  /** The server that was asked. */
  address: z.string(),
  issuer: z.string(),
  authorizeUrl: z.string(),
  tokenUrl: z.string(),
  revokeUrl: z.string().nullable(),
  resource: z.string().nullable(),
  sendsIssuer: z.boolean(),
  scopes: z.array(z.string()),
  client: z.enum(['given', 'document', 'registered']),
  clientId: z.string(),
  clientAuth: z.enum(['none', 'post', 'basic']),
  redirectUri: z.string(),
});
export type SignIn = z.infer<typeof SignIn>;

/** Null for a connection that was made in another way. */
export function readSignIn(config: ConnectionConfig): SignIn | null {
  return SignIn.safeParse(parseStoredJson(config[SIGN_IN] ?? '')).data ?? null;
}

/** The config of a new sign-in. Scopes that a call has lacked once are asked for from then on. */
export function keepSignIn(signIn: SignIn, previous: ConnectionConfig): ConnectionConfig {
  const remembered = rememberedScopes(previous, signIn.issuer);
  const kept = remembered.length === 0 ? {} : { [WANTED]: remembered.join(' ') };
  return { [SIGN_IN]: JSON.stringify(signIn), ...kept };
}

/** The scopes that a call has lacked, when they are those of this issuer. */
export function rememberedScopes(config: ConnectionConfig, issuer: string): string[] {
  return readSignIn(config)?.issuer === issuer ? readScopes(config[WANTED]) : [];
}

export const withWantedScopes = (config: ConnectionConfig, scopes: readonly string[]): ConnectionConfig => ({
  ...config,
  [WANTED]: readScopes(scopes).join(' '),
});
