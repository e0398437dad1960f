// Parses the stored text of a credential into the form that calls use.
import * as z from 'zod';
import type { Integration } from '../../kit/integration.ts';
import type { ApiKeyField, Auth } from '../../kit/manifest.ts';
import { parseSession, type StoredSession } from './cookies.ts';
import { parseStoredJson } from './stored-json.ts';
import { exchangeOf, type KeyWay, keyFormOf } from './ways.ts';

interface Weighed {
  /** About what the parsed form takes in memory, in characters. Caches count it. */
  weight: number;
}

export interface TokenCredential extends Weighed {
  kind: 'token';
  token: string;
}

export interface FieldsCredential extends Weighed {
  kind: 'fields';
  way: KeyWay;
  /** The secrets by the keys of the manifest. A single secret is also stored as `secret`. */
  values: Readonly<Record<string, string>>;
}

export interface CookiesCredential extends Weighed, StoredSession {
  kind: 'cookies';
}

export type Credential = TokenCredential | FieldsCredential | CookiesCredential;

// Parsed cookies repeat their text and add an object for each cookie.
const CHARACTERS_PER_STORED = 2;

const Fields = z.record(z.string(), z.string());

/**
 * Throws when the fields of an API key or a token are not JSON. Cookies that cannot be parsed are a session without
 * cookies.
 */
export function parseCredential(
  integration: Pick<Integration, 'auth' | 'token' | 'displayName'>,
  text: string,
  way: Auth['type'] | 'token' = integration.auth.type,
): Credential {
  const weight = CHARACTERS_PER_STORED * text.length;
  switch (way) {
    case 'cookie':
      return { kind: 'cookies', ...parseSession(text), weight };
    case 'apikey':
    case 'token': {
      // Calls carry the token that the client got for what the person has entered.
      if (exchangeOf(integration) !== undefined) return { kind: 'token', token: text, weight };
      const values = parseFields(keyFormOf(integration)?.block.fields ?? [], text);
      // The error of JSON.parse would quote the credential.
      if (values === null) throw new Error(unreadableMessage(integration.displayName));
      return { kind: 'fields', way, values, weight };
    }
    case 'oauth2':
    case 'none':
      return { kind: 'token', token: text, weight };
  }
}

/** Null when several fields are not stored as JSON. decision: 027, one field is stored as plain text */
function parseFields(fields: readonly ApiKeyField[], text: string): Record<string, string> | null {
  const keys = fields.filter(({ secret }) => secret).map(({ key }) => key);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return { [only]: text, secret: text };
  const value = parseStoredJson(text);
  return value === undefined ? null : (Fields.safeParse(value).data ?? {});
}

/** The secrets that no error text may repeat. */
export function secretsIn(credential: Credential): string[] {
  switch (credential.kind) {
    case 'token':
      return [credential.token];
    case 'fields':
      return Object.values(credential.values);
    case 'cookies':
      return (credential.bundle?.cookies ?? []).map(({ value }) => value);
  }
}

/** Whether the person made it at the provider, in place of an OAuth sign-in. */
export const isOwnToken = (credential: Credential | undefined): boolean =>
  credential?.kind === 'fields' && credential.way === 'token';

/** Whether a refresh may bring a newer credential when the upstream answers 401. */
export function canRenew(credential: Credential): credential is TokenCredential {
  return credential.kind === 'token';
}

// decision: 009
export function unreadableMessage(displayName: string): string {
  return `The stored credential of ${displayName} can no longer be opened. Reconnect it.`;
}
