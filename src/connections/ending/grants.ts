// Tells which request ends the grant of a connection, and which connections have the same grant. decision: 026
import type { Integration } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';
import { type ConnectionConfig, instanceIn, readConfigOf } from '../model/config.ts';
import { fillInstance } from '../model/instance.ts';
import { type DynamicProviders, findProvider } from '../oauth/provider.ts';
import type { FindsClients, RegisteredClients } from '../oauth/registered-clients.ts';
import { wayOf } from '../model/ways.ts';
import { requestAt, type RevokeRequest } from './revoke-grant.ts';

type Named = Pick<Connection, 'account_id' | 'account_label'>;

/** A grant whose connection is gone. */
export interface FormerGrant {
  accountId: string | null;
  accountLabel: string | null;
  config: ConnectionConfig;
}

export interface Grants {
  /** The request that ends the grant of a row; null when only the person can end it. */
  requestFor(integration: Integration, row: Connection): Promise<RevokeRequest | null>;
  /** Those of the rows whose grants can be ended by a request. */
  revocable(rows: readonly Connection[]): Promise<Connection[]>;
  /** The other rows that have the same grant, by each row. */
  siblings(rows: readonly Connection[]): Promise<ReadonlyMap<Connection, readonly Connection[]>>;
  /** Whether one of the rows has the grant, perhaps that of another integration of the same provider. */
  isInUse(rows: readonly Connection[], integration: Integration, former: FormerGrant): Promise<boolean>;
}

type Needs = Pick<Ports, 'config'> & {
  dynamicProviders: DynamicProviders;
  registeredClients: RegisteredClients;
  registries: Registries;
};

export function createGrants({ config, dynamicProviders, registeredClients, registries }: Needs): Grants {
  /** The request that ends a grant, and a name for the grants of its client at its provider. */
  async function find(
    integration: Integration,
    settings: ConnectionConfig,
    clients: FindsClients,
  ): Promise<{ request: RevokeRequest; name: string } | null> {
    const { auth, revoke } = integration;
    if (auth.type !== 'oauth2' || (revoke?.request === undefined && auth.dynamic === undefined)) return null;
    const needs = { config, dynamicProviders, registeredClients: clients };
    const found = await findProvider(integration, auth, settings, needs);
    const request = found.ok ? requestAt(integration, found.provider) : null;
    if (!found.ok || request === null) return null;
    const url = fillInstance(request.url, instanceIn(settings, integration));
    return { request, name: JSON.stringify([url, found.provider.clientId]) };
  }

  const grantAt = async (integration: Integration, settings: ConnectionConfig, clients: FindsClients) =>
    (await find(integration, settings, clients))?.name ?? null;

  function grantsOf(rows: readonly Connection[], clients: FindsClients) {
    return Promise.all(
      rows.map(async (row) => {
        const integration = await registries.integration(row.user_id, row.integration);
        const isGranted = integration !== null && wayOf(row, integration) === 'oauth2';
        return { row, grant: isGranted ? await grantAt(integration, readConfigOf(row), clients) : null };
      }),
    );
  }

  return {
    async requestFor(integration, row) {
      if (wayOf(row, integration) !== 'oauth2') return null;
      return (await find(integration, readConfigOf(row), registeredClients))?.request ?? null;
    },

    async revocable(rows) {
      const found = await grantsOf(rows, await registeredClients.readAll());
      return found.flatMap(({ row, grant }) => (grant === null ? [] : [row]));
    },

    async siblings(rows) {
      const grants = await grantsOf(rows, await registeredClients.readAll());
      return new Map(
        grants.map(({ row, grant }) => [
          row,
          grants
            .filter(
              (other) =>
                grant !== null && other.row !== row && other.grant === grant && isSameAccount(other.row, row),
            )
            .map((other) => other.row),
        ]),
      );
    },

    async isInUse(rows, integration, { accountId, accountLabel, config: settings }) {
      const clients = await registeredClients.readAll();
      const grant = await grantAt(integration, settings, clients);
      const account = { account_id: accountId, account_label: accountLabel };
      return (await grantsOf(rows, clients)).some(({ row, grant: other }) => {
        if (other === null || other !== grant) return false;
        // Without an id nobody can tell whether the accounts of one integration differ.
        const isUnknown = accountId === null || row.account_id === null;
        return isSameAccount(row, account) || (row.integration === integration.name && isUnknown);
      });
    },
  };
}

/** Integrations of one provider may know the account by different ids, such as an address and a number. */
function isSameAccount(one: Named, other: Named): boolean {
  const names = [other.account_id, other.account_label];
  return [one.account_id, one.account_label].some((name) => name !== null && names.includes(name));
}
