// Says what a person has connected, and ends all of it. reference: Administration of people; Deleting a person
import type { Feature } from '../kit/feature.ts';
import type { ShownToAdministrators } from '../kit/personal.ts';
import type { Registries } from '../kit/registries.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import { labelsOf } from './model/accounts.ts';
import type { Disconnects } from './model/disconnects.ts';
import { statusOf } from './model/state.ts';

type Stored = Pick<Ports, 'store'>;

export const personalConnections = {
  show:
    ({ store }: Stored) =>
    async (userId) => ({ accounts: showAccounts(await store.connections.list(userId)) }),

  export:
    ({ store }: Stored) =>
    ({ id }) => ({
      connections: async () => (await store.connections.list(id)).map(describeConnection),
    }),

  erase:
    ({
      disconnects,
      pending,
      registries,
      store,
    }: Pick<Ports, 'pending' | 'store'> & { disconnects: Disconnects; registries: Registries }) =>
    async (userId) => {
      const names = new Set((await store.connections.list(userId)).map(({ integration }) => integration));
      for (const name of names) {
        const integration = await registries.integration(userId, name);
        if (integration !== null) await disconnects.revoke(userId, integration);
      }
      await pending.forget(userId);
    },

  eraseActors:
    ({ disconnects, pending }: Pick<Ports, 'pending'> & { disconnects: Disconnects }) =>
    async (userIds, pseudonym) => {
      await disconnects.endAll(userIds, pseudonym);
      for (const userId of userIds) await pending.forget(userId);
    },

  rename:
    ({ disconnects }: { disconnects: Disconnects }) =>
    (userIds, pseudonym) =>
      disconnects.handOver(userIds, pseudonym),
} satisfies Feature['personal'];

function showAccounts(connections: readonly Connection[]): ShownToAdministrators['accounts'] {
  const byIntegration = Map.groupBy(connections, ({ integration }) => integration);
  return [...byIntegration].flatMap(([integration, rows]) => {
    const labels = rows.length === 1 ? [] : labelsOf(rows);
    return rows.map((row, at) => {
      const label = labels[at];
      return { integration, ...(label === undefined ? {} : { label }), status: statusOf(row) };
    });
  });
}

function describeConnection(row: Connection) {
  const { integration, label, way, scopes, status, created_at, updated_at, account_id, account_label } = row;
  return { integration, label, way, scopes, status, created_at, updated_at, account_id, account_label };
}
