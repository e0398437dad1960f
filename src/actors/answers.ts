// Answers questions about the actors of one service key, to its product and to administrators. reference: Actors of a key
import type { Context } from 'hono';
import { EXTERNAL_ID, type ServiceKeyAuth, unknownActor } from '../auth/service-keys.ts';
import { labelsOf } from '../connections/model/accounts.ts';
import { accountIn, statusOf } from '../connections/model/state.ts';
import { toPage } from '../kit/cursor.ts';
import type { ListedActor, ServiceKey } from '../ports/actors.ts';
import type { Connection } from '../ports/records.ts';
import type { Ports } from '../ports/ports.ts';
import type { ActorConnections, ActorPage, ActorUsage, ShownActor } from './operations.ts';

export type AnswerNeeds = Pick<Ports, 'clock' | 'log' | 'store'> & {
  /** Ends what the actor holds, and what runs for it. */
  access: { beginDeletion(id: string): Promise<unknown> };
  callsOfProducts: {
    ofActor(userId: string, days: number): Promise<{ integration: string; cause: string; calls: number }[]>;
  };
  serviceKeyAuth: Pick<ServiceKeyAuth, 'forget'>;
};

const ERASING = { status: 'deleting' } as const;

export function createActorAnswers({
  access,
  callsOfProducts,
  clock,
  log,
  serviceKeyAuth,
  store,
}: AnswerNeeds) {
  /** Reads the actor that the path names through its key, so nobody finds one of another. */
  async function requireActor(c: Context, key: ServiceKey): Promise<ListedActor> {
    const externalId = c.req.param('externalId') ?? '';
    const isName = EXTERNAL_ID.test(externalId);
    const actor = isName ? await store.serviceActors.get(key.id, externalId) : null;
    if (actor === null) throw unknownActor();
    return actor;
  }

  return {
    requireActor,

    async list(c: Context, key: ServiceKey, { limit, cursor, query }: ActorPlace) {
      const asked = { keyId: key.id, contains: query, after: cursor, limit: limit + 1 };
      const rows = await store.serviceActors.page(asked);
      const { shown, ...next } = toPage(rows, limit, ({ external_id }) => external_id);
      return c.json({ actors: shown.map(showActor), ...next } satisfies ActorPage);
    },

    async connections(c: Context, key: ServiceKey) {
      const { id } = await requireActor(c, key);
      const rows = Map.groupBy(await store.connections.list(id), ({ integration }) => integration);
      const connections = [...rows.values()].flatMap(showAccounts);
      return c.json({ connections } satisfies ActorConnections);
    },

    async erase(c: Context, key: ServiceKey) {
      const actor = await requireActor(c, key);
      await store.serviceActors.beginDeletion(actor, clock.now());
      await access.beginDeletion(actor.id);
      serviceKeyAuth.forget();
      log.write('info', 'the deletion of an actor was begun', { key: key.id, person: actor.id });
      return c.json(ERASING, 202);
    },

    async usage(c: Context, key: ServiceKey, days: number) {
      const { id } = await requireActor(c, key);
      const sums = await callsOfProducts.ofActor(id, days);
      const byName = Map.groupBy(sums, ({ integration }) => integration);
      const integrations = [...byName]
        .map(([name, rows]) => ({ name, ...countOf(rows) }))
        .toSorted((one, other) => other.calls - one.calls);
      return c.json({ ...countOf(sums), integrations } satisfies ActorUsage);
    },
  };
}

interface ActorPlace {
  limit: number;
  cursor?: string | undefined;
  query?: string | undefined;
}

export const showActor = ({
  external_id,
  external_name,
  connections,
  created_at,
}: ListedActor): ShownActor => ({
  externalId: external_id,
  name: external_name,
  connections,
  createdAt: created_at,
});

function showAccounts(rows: readonly Connection[]): ActorConnections['connections'] {
  const labels = rows.length === 1 ? [] : labelsOf(rows);
  return rows.map((row, at) => {
    const label = labels[at];
    return {
      integration: row.integration,
      status: statusOf(row),
      ...(label === undefined ? {} : { label }),
      ...accountIn(row),
      connectedAt: row.created_at,
    };
  });
}

function countOf(rows: readonly { cause: string; calls: number }[]): { calls: number; failed: number } {
  const sum = (some: typeof rows) => some.reduce((total, { calls }) => total + calls, 0);
  return { calls: sum(rows), failed: sum(rows.filter(({ cause }) => cause !== '')) };
}
