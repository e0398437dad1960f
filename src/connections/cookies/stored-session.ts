// Finds the account whose row holds a session that has just been stored.
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';
import type { Vault } from '../model/vault.ts';

/** `cookies` is the session as it was stored. Null when the row has been changed or deleted since. */
export async function findStoredSession(
  { store, vault }: Pick<Ports, 'store'> & { vault: Vault },
  userId: string,
  integration: string,
  cookies: string,
): Promise<Connection | null> {
  const rows = await store.connections.of(userId, integration);
  for (const row of rows) if ((await vault.open(row, 'cookies')) === cookies) return row;
  return null;
}
