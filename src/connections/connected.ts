// Whether a user's connection can serve tools, computed on demand, never stored. spec: Connection
import type { Integration } from '../kit/integration.ts';
import type { Config } from '../config/config.ts';
import type { Ports } from '../ports/ports.ts';
import type { Vault } from './vault.ts';
import type { Connection } from '../ports/records.ts';
import { hasLiveCookie } from './cookies/cookies.ts';

export interface Connected {
  one(userId: string, integration: Integration): Promise<boolean>;
  /** The names among the given integrations that are connected, with one look at the store. */
  all(userId: string, integrations: readonly Integration[]): Promise<ReadonlySet<string>>;
}

/** What an agent or a script reads beside NOT_CONNECTED. */
export function howToConnect(
  { name, displayName, auth }: Integration,
  { PORTAL_URL }: Pick<Config, 'PORTAL_URL'>,
): string {
  return auth.type === 'apikey'
    ? `${displayName} is not connected. Its API key can only be entered by the person, at ${PORTAL_URL}.`
    : `${displayName} is not connected. Call connect with integration "${name}", or connect it at ${PORTAL_URL}.`;
}

export function createConnected({
  store,
  vault,
  clock,
}: Pick<Ports, 'store' | 'clock'> & { vault: Vault }): Connected {
  async function holds({ auth }: Integration, connection: Connection | null): Promise<boolean> {
    if (auth.type === 'none') return true;
    if (connection === null) return false;
    if (auth.type !== 'cookie') return connection.access_token !== null;
    const bundle = await vault.open(connection, 'cookies');
    return bundle !== null && hasLiveCookie(bundle, clock.now());
  }

  return {
    async one(userId, integration) {
      if (integration.auth.type === 'none') return true;
      return holds(integration, await store.connections.get(userId, integration.name));
    },

    async all(userId, integrations) {
      const names = new Set<string>();
      const rows = integrations.every(({ auth }) => auth.type === 'none')
        ? []
        : await store.connections.list(userId);
      const byName = new Map(rows.map((row) => [row.integration, row]));
      for (const integration of integrations) {
        if (await holds(integration, byName.get(integration.name) ?? null)) names.add(integration.name);
      }
      return names;
    },
  };
}
