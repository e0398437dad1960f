// Finds out which of a person's connections can serve tools. The answer is computed on demand, never stored. reference: Connections
import type { Integration } from '../kit/integration.ts';
import type { Config } from '../config/config.ts';
import type { Ports } from '../ports/ports.ts';
import type { Vault } from './vault.ts';
import type { Connection } from '../ports/records.ts';
import { belongsTo } from './config.ts';
import { hasLiveCookie } from './cookies/cookies.ts';
import { createCredentialOpener, type CredentialCache } from './open-credential.ts';
import { integrationPage } from './ways.ts';

export interface Connected {
  /** The stored connection when it can serve tools, else null. The first upstream call can use this row. */
  find(userId: string, integration: Integration): Promise<Connection | null>;
  /** Whether the integration can serve tools. An integration without sign-in always can. */
  one(userId: string, integration: Integration): Promise<boolean>;
  /** The names of the integrations that can serve tools, with one read of the store. */
  all(userId: string, integrations: readonly Integration[]): Promise<ReadonlySet<string>>;
}

/** The text that agents and scripts read beside NOT_CONNECTED. */
export function howToConnect(
  { name, displayName, auth }: Integration,
  { PORTAL_URL }: Pick<Config, 'PORTAL_URL'>,
): string {
  return auth.type === 'apikey'
    ? `${displayName} is not connected. Its API key can only be entered by the person. Call connect with integration "${name}" and show the person the url, or the person enters it at ${PORTAL_URL}.`
    : `${displayName} is not connected. Call connect with integration "${name}", or connect it at ${PORTAL_URL}.`;
}

/** The text beside an error when the provider no longer accepts the credential. */
export function howToReconnect(
  { name, displayName, auth }: Integration,
  config: Pick<Config, 'PORTAL_URL'>,
): string {
  const page = integrationPage(name, config);
  return auth.type === 'apikey'
    ? `${displayName} did not accept the stored API key. The person can replace it at ${page}.`
    : `${displayName} did not accept the stored sign-in. Call connect with integration "${name}" and show the person the url, or the person reconnects it at ${page}.`;
}

type Needs = Pick<Ports, 'store' | 'clock'> & { openedCredentials: CredentialCache; vault: Vault };

export function createConnected({ store, clock, openedCredentials, vault }: Needs): Connected {
  const opener = createCredentialOpener({ clock, openedCredentials, vault });

  async function canServe(integration: Integration, connection: Connection): Promise<boolean> {
    if (!belongsTo(connection, integration)) return false;
    if (integration.auth.type !== 'cookie') return connection.access_token !== null;
    const readiness = await opener.open(connection, integration);
    return (
      readiness.kind === 'ready' &&
      readiness.credential.kind === 'cookies' &&
      hasLiveCookie(readiness.credential, clock.now())
    );
  }

  const find: Connected['find'] = async (userId, integration) => {
    const connection = await store.connections.get(userId, integration.name);
    return connection !== null && (await canServe(integration, connection)) ? connection : null;
  };

  return {
    find,

    async one(userId, integration) {
      return integration.auth.type === 'none' || (await find(userId, integration)) !== null;
    },

    async all(userId, integrations) {
      const names = new Set<string>();
      const rows = integrations.every(({ auth }) => auth.type === 'none')
        ? []
        : await store.connections.list(userId);
      const byName = new Map(rows.map((row) => [row.integration, row]));
      for (const integration of integrations) {
        const row = byName.get(integration.name);
        const isNamed =
          integration.auth.type === 'none' || (row !== undefined && (await canServe(integration, row)));
        if (isNamed) names.add(integration.name);
      }
      return names;
    },
  };
}
