// Shows a person in full: what the person has connected and let in, without a secret. reference: Administration of people
import type { ReadRole } from '../auth/role.ts';
import { labelsOf } from '../connections/accounts.ts';
import { statusOf } from '../connections/state.ts';
import type { PersonSummary } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import type { LimitsOf } from './limits.ts';
import type { PersonInFull } from './operations.ts';
import { showPerson } from './person.ts';

export type DescribeNeeds = Pick<Ports, 'clock' | 'store'> & { limitsOf: LimitsOf; readRole: ReadRole };

export function createDescribePerson({ clock, limitsOf, readRole, store }: DescribeNeeds) {
  async function clientsOf(userId: string): Promise<PersonInFull['clients']> {
    const tokens = await store.refreshTokens.list(userId, clock.now());
    const ids = [...new Set(tokens.map(({ client_id }) => client_id))];
    return Promise.all(
      ids.map(async (id) => ({ id, name: (await store.clients.get(id))?.client_name ?? null })),
    );
  }

  async function namedKeysOf(userId: string): Promise<PersonInFull['namedKeys']> {
    const keys = await store.agentKeys.list(userId);
    return keys.map(({ name, last_used_at }) => ({
      name,
      ...(last_used_at === null ? {} : { lastUsedAt: last_used_at }),
    }));
  }

  return async function describePerson(summary: PersonSummary): Promise<PersonInFull> {
    const { id } = summary;
    const [connections, clients, namedKeys, limits] = await Promise.all([
      store.connections.list(id),
      clientsOf(id),
      namedKeysOf(id),
      limitsOf(id),
    ]);
    return {
      ...showPerson(summary, readRole),
      accounts: showAccounts(connections),
      clients,
      namedKeys,
      limits,
    };
  };
}

function showAccounts(connections: readonly Connection[]): PersonInFull['accounts'] {
  const byIntegration = Map.groupBy(connections, ({ integration }) => integration);
  return [...byIntegration].flatMap(([integration, rows]) => {
    const labels = rows.length === 1 ? [] : labelsOf(rows);
    return rows.map((row, at) => {
      const label = labels[at];
      return { integration, ...(label === undefined ? {} : { label }), status: statusOf(row) };
    });
  });
}
