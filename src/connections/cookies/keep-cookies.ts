// Stores the cookies that an upstream sets in a session.
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';
import type { Integration } from '../../kit/integration.ts';
import { instanceIn, readConfigOf } from '../model/config.ts';
import type { Credential } from '../model/credential.ts';
import type { Vault } from '../model/vault.ts';
import { cookieDomains } from './cookie-domains.ts';
import { mergeSetCookie } from './cookie-jar.ts';
import { parseSession } from '../model/cookies.ts';

const MAX_ATTEMPTS = 10;

export interface NewCookies {
  integration: Integration;
  connection: Connection;
  credential: Credential;
  /** The address that answered. */
  url: URL;
  /** The values of Set-Cookie. */
  lines: readonly string[];
}

/**
 * Merges the new cookies into the stored session. Answers that arrive together all keep theirs. Returns the row as it is
 * known afterwards, or the former one when it holds another session now: the answer must not judge that one.
 */
export async function keepCookies(
  { store, clock, vault }: Pick<Ports, 'store' | 'clock'> & { vault: Vault },
  { integration, connection, credential, url, lines }: NewCookies,
): Promise<Connection> {
  const { auth } = integration;
  if (auth.type !== 'cookie' || credential.kind !== 'cookies' || lines.length === 0) return connection;
  const sent = credential.bundle;
  if (sent === null) return connection;
  let seen: Connection | null = connection;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && seen !== null; attempt++) {
    const bundle = attempt === 0 ? sent : parseSession((await vault.open(seen, 'cookies')) ?? '').bundle;
    // An answer to an earlier session must not overwrite a newer sign-in.
    if (bundle === null || bundle.capturedAt !== sent.capturedAt) return connection;
    const domains = cookieDomains(auth, instanceIn(readConfigOf(seen), integration));
    const merged = mergeSetCookie(bundle, url, lines, clock.now(), domains);
    if (merged === null) return seen;
    const cookies = await vault.seal(JSON.stringify(merged), seen, 'cookies');
    const next: Connection = { ...seen, cookies, updated_at: clock.now() };
    if (await store.connections.swap(seen, next)) return next;
    seen = await store.connections.get(connection.user_id, connection.integration, connection.account);
  }
  return connection;
}
