// One row for each account of a person at an integration, with the sealed credential.
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Connection, ConnectionKey, CredentialState, TeamUse } from '../../src/ports/records.ts';
import type { Connections } from '../../src/ports/store.ts';
import { isOneOf, toJson } from './json-rows.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare, setToExcluded, values } from './prepare.ts';
import type { Stored } from './schema.ts';
import type { Sql } from './sql.ts';
import { tables } from './tables.ts';

export function createConnections({ db, dialect, all, one, change, batch }: Sql): Connections {
  const connections = db.selectFrom('connections').select(columns('connections'));
  const of = prepare((p: { user: string; integration: string }) =>
    connections
      .where('user_id', '=', p.user)
      .where('integration', '=', p.integration)
      .orderBy('created_at')
      .orderBy('account'),
  );
  const get = prepare((p: ConnectionKey) => connections.where(isAt(p)));
  const list = prepare((p: { user: string }) =>
    connections.where('user_id', '=', p.user).orderBy('integration').orderBy('created_at').orderBy('account'),
  );
  const put = createPutConnection({ db });
  const lockUser = createLockUser({ db });
  const add = prepare((p: Stored<Connection> & { most: number }) =>
    db
      .insertInto('connections')
      .columns(columns('connections'))
      .expression(
        db
          .selectNoFrom(columns('connections').map((name) => cast(name, p[name]).as(name)))
          .where(
            sql<boolean>`(select count(*) from connections where user_id = ${p.user_id} and integration = ${p.integration}) < ${sql`cast(${p.most} as bigint)`}`,
          )
          .where(isLabelFree(p))
          .where(isPersonKnown(p)),
      )
      .onConflict((conflict) => conflict.columns(['user_id', 'integration', 'account']).doNothing()),
  );
  const rename = prepare((p: ConnectionKey & { label: string }) =>
    db
      .updateTable('connections')
      .set({ label: p.label })
      .where(isAt(p))
      .where(isLabelFree(p))
      .where(isPersonKnown(p)),
  );
  const chooseFor = (use: Use) =>
    prepare((p: ConnectionKey & { on: number }) =>
      db
        .updateTable('connections')
        .set(FLAGS[use], (is) => chosen(p, is.ref(FLAGS[use])))
        .set('team_use', teamUseAfter(p, use))
        .where('user_id', '=', p.user_id)
        .where('integration', '=', p.integration)
        .where(isStored(p)),
    );
  const choose = { reads: chooseFor('reads'), writes: chooseFor('writes') };
  const chooseTeamFor = (use: Use) =>
    prepare((p: OfIntegration & { on: number }) =>
      db
        .updateTable('connections')
        .set('team_use', ifOn<TeamUse | null>(p, withUse(use), withoutUse(use)))
        .set(FLAGS[use], (is) => ifOn<number>(p, sql.lit(0), is.ref(FLAGS[use])))
        .where('user_id', '=', p.user_id)
        .where('integration', '=', p.integration),
    );
  const chooseTeam = { reads: chooseTeamFor('reads'), writes: chooseTeamFor('writes') };
  const remove = prepare((p: ConnectionKey) => db.deleteFrom('connections').where(isAt(p)));

  const swap = prepare((p: Connection & Seen) =>
    db
      .updateTable('connections')
      .set({
        access_token: p.access_token,
        refresh_token: p.refresh_token,
        expires_at: p.expires_at,
        scopes: p.scopes,
        cookies: p.cookies,
        config: p.config,
        updated_at: p.updated_at,
      })
      .where(holdsSeen(p)),
  );
  const mark = prepare((p: CredentialState & Seen) =>
    db
      .updateTable('connections')
      .set({
        status: p.status,
        cause: p.cause,
        since: p.since,
        checked_at: p.checked_at,
        account_id: p.account_id,
        account_label: p.account_label,
      })
      .where(holdsSeen(p)),
  );
  const ofPeople = prepare((p: { users: string }) => connections.where(isOneOf(dialect, 'user_id', p.users)));
  const inOrder = connections.orderBy('user_id').orderBy('integration').orderBy('account');
  const firstPage = prepare((p: { limit: number }) => inOrder.limit(p.limit));
  const nextPage = prepare((p: ConnectionKey & { limit: number }) =>
    inOrder
      .where((eb) =>
        eb.or([
          eb('user_id', '>', p.user_id),
          eb.and([eb('user_id', '=', p.user_id), eb('integration', '>', p.integration)]),
          eb.and([
            eb('user_id', '=', p.user_id),
            eb('integration', '=', p.integration),
            eb('account', '>', p.account),
          ]),
        ]),
      )
      .limit(p.limit),
  );

  return {
    get: async (user_id, integration, account) => {
      const row = await one(get({ user_id, integration, account }));
      return row === null ? null : toConnection(row);
    },
    of: async (user, integration) => (await all(of({ user, integration }))).map(toConnection),
    ofPeople: async (users) => (await all(ofPeople({ users: toJson(users) }))).map(toConnection),
    list: async (user) => (await all(list({ user }))).map(toConnection),
    async put(connection) {
      await change(put(toStored(connection)));
    },
    async add(connection, most) {
      const { user_id: user, integration } = connection;
      const [locked, added, now] = await batch([
        lockUser({ user }),
        add({ ...toStored(connection), most }),
        of({ user, integration }),
      ]);
      if (added.changes === 1) return 'added';
      if (locked.changes === 0) return 'gone';
      const { account, label } = connection;
      const isTaken = now.rows.some(
        (row) => row.account === account || (label !== null && row.label === label),
      );
      return isTaken ? 'taken' : 'full';
    },
    async rename(key, label) {
      const [locked, renamed, now] = await batch([
        lockUser({ user: key.user_id }),
        rename({ ...key, label }),
        get(key),
      ]);
      if (renamed.changes === 1) return 'renamed';
      return locked.changes === 0 || now.rows.length === 0 ? 'gone' : 'taken';
    },
    async setDefault(key, use, on) {
      const [, , now] = await batch([
        lockUser({ user: key.user_id }),
        choose[use]({ ...key, on: on ? 1 : 0 }),
        get(key),
      ]);
      return now.rows.length === 1;
    },
    async setTeamDefault({ user_id, integration }, use, on) {
      const [, changed] = await batch([
        lockUser({ user: user_id }),
        chooseTeam[use]({ user_id, integration, on: on ? 1 : 0 }),
      ]);
      return changed.changes > 0;
    },
    swap: async (seen, next) => (await change(swap({ ...next, ...seenIn(seen) }))) === 1,
    mark: async (seen, state) => (await change(mark({ ...state, ...seenIn(seen) }))) === 1,
    due: async (integrations, before, limit) => {
      const checked = sql<number>`coalesce(checked_at, 0)`;
      const query = connections
        .where('integration', 'in', integrations)
        .where(checked, '<=', before)
        .orderBy(checked)
        .limit(limit);
      return integrations.length === 0 ? [] : (await all(query.compile())).map(toConnection);
    },
    page: async (after, limit) => {
      const query = after === null ? firstPage({ limit }) : nextPage({ ...after, limit });
      return (await all(query)).map(toConnection);
    },
    delete: async (user_id, integration, account) =>
      (await change(remove({ user_id, integration, account }))) === 1,
  };
}

/** What a renewed credential does not change. */
const KEPT = [
  'user_id',
  'integration',
  'account',
  'created_at',
  'label',
  'is_default',
  'is_write_default',
  'team_use',
] as const;

/** Stores the credential of an account. A renewed one keeps its config where the new row has none. */
export const createPutConnection = ({ db }: Pick<Sql, 'db'>) =>
  prepare((p: Stored<Connection>) =>
    db
      .insertInto('connections')
      .values(values('connections', p))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'integration', 'account']).doUpdateSet((is) => ({
          ...setToExcluded('connections', ...KEPT, 'config'),
          config: is.fn.coalesce('excluded.config', 'connections.config'),
        })),
      ),
  );

type OfIntegration = Pick<ConnectionKey, 'user_id' | 'integration'>;

export const toConnection = (row: Stored<Connection>): Connection => ({
  ...row,
  is_default: row.is_default === 1,
  is_write_default: row.is_write_default === 1,
});

export const toStored = (connection: Connection): Stored<Connection> => ({
  ...connection,
  is_default: connection.is_default ? 1 : 0,
  is_write_default: connection.is_write_default ? 1 : 0,
});

const isAt = (p: ConnectionKey): RawBuilder<boolean> =>
  sql<boolean>`user_id = ${p.user_id} and integration = ${p.integration} and account = ${p.account}`;

/** Without this an account that was just disconnected would take the default from the others. */
const isStored = (p: ConnectionKey): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from connections as chosen where chosen.user_id = ${p.user_id} and chosen.integration = ${p.integration} and chosen.account = ${p.account})`;

/** No other account of the integration has the label. */
const isLabelFree = (p: ConnectionKey & { label: string | null }): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from connections as other where other.user_id = ${p.user_id} and other.integration = ${p.integration} and other.account <> ${p.account} and other.label = ${p.label})`;

/** Without the row of the person, parallel batches do not wait for each other and cannot count. */
const isPersonKnown = (p: Pick<ConnectionKey, 'user_id'>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from users where id = ${p.user_id})`;

type Use = 'reads' | 'writes';

const FLAGS = { reads: 'is_default', writes: 'is_write_default' } as const satisfies Record<
  Use,
  keyof Connection
>;

/** Sets the flag of one account. The others lose it when this one gets it. */
const chosen = (p: ConnectionKey & { on: number }, flag: Expression<number>): RawBuilder<number> =>
  sql<number>`case when account = ${p.account} then cast(${p.on} as smallint) when cast(${p.on} as smallint) = 1 then 0 else ${flag} end`;

/** The use of the team connection after an account of the person was chosen, or is no longer. */
const teamUseAfter = (p: { on: number }, use: Use) =>
  ifOn<TeamUse | null>(p, withoutUse(use), sql.ref('team_use'));

const ifOn = <V>({ on }: { on: number }, then: Expression<V>, otherwise: Expression<V>): RawBuilder<V> =>
  sql<V>`case when cast(${on} as smallint) = 1 then ${then} else ${otherwise} end`;

const withUse = (use: Use) =>
  sql<TeamUse | null>`case when team_use is null or team_use = ${sql.lit(use)} then ${sql.lit(use)} else 'all' end`;

const withoutUse = (use: Use) =>
  sql<TeamUse | null>`case when team_use = 'all' then ${sql.lit(use === 'reads' ? 'writes' : 'reads')} when team_use = ${sql.lit(use)} then null else team_use end`;

/** PostgreSQL does not know the types of the parameters of a select. */
const cast = <V>(name: keyof Connection, value: V) =>
  sql<V>`cast(${value} as ${sql.raw(tables.connections.columns[name].split(' ')[0] ?? '')})`;

/** A row as it was read. */
export interface Seen {
  seen_user: string;
  seen_integration: string;
  seen_account: string;
  seen_access: string | null;
  seen_refresh: string | null;
  seen_cookies: string | null;
}

export const seenIn = (row: Connection): Seen => ({
  seen_user: row.user_id,
  seen_integration: row.integration,
  seen_account: row.account,
  seen_access: row.access_token,
  seen_refresh: row.refresh_token,
  seen_cookies: row.cookies,
});

/** Sealed texts never repeat, so a row that still holds these has not been written since it was read. */
export const holdsSeen = (p: Seen): RawBuilder<boolean> =>
  sql<boolean>`user_id = ${p.seen_user} and integration = ${p.seen_integration} and account = ${p.seen_account} and ${isSame('access_token', p.seen_access)} and ${isSame('refresh_token', p.seen_refresh)} and ${isSame('cookies', p.seen_cookies)}`;

// Compares like `=`, but null equals null.
const isSame = (column: string, value: string | null) =>
  sql`${sql.ref(column)} is not distinct from ${value}`;
