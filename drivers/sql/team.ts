// Team connections: rows of `connections` that everyone owns, and the rules that say who may use them.
import { sql } from 'kysely';
import type { Connection } from '../../src/ports/records.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { TEAM_ACCOUNT, type TeamConnections, type TeamRule } from '../../src/ports/team.ts';
import { endApprovals } from './approvals.ts';
import { createPutConnection, toConnection, toStored } from './connections.ts';
import { namesOf } from './groups.ts';
import { selectJsonTexts, toJson } from './json-rows.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Stored } from './schema.ts';
import type { Sql } from './sql.ts';

export function createTeamConnections(source: Sql): TeamConnections {
  const { db, all, one, change, batch } = source;
  const own = columns('connections');
  const qualified = own.map((name) => `connections.${name}` as const);

  /** The team connections that the person may use. Somebody whose row is gone may use none. */
  const usableBy = (user: string) =>
    db
      .selectFrom('team_connections')
      .innerJoin('connections', (join) =>
        join
          .onRef('connections.integration', '=', 'team_connections.integration')
          .on('connections.user_id', '=', EVERYONE)
          .on('connections.account', '=', TEAM_ACCOUNT),
      )
      .select([...qualified, 'team_connections.access as ceiling'])
      .where(
        sql<boolean>`exists (select 1 from users where users.id = ${user} and users.disabled_at is null and users.service_key_id is null)`,
      )
      .where(
        sql<boolean>`(team_connections.everyone = 1 or exists (select 1 from team_people where team_people.integration = team_connections.integration and team_people.user_id = ${user}) or exists (select 1 from team_groups where team_groups.integration = team_connections.integration and team_groups.name in (${namesOf(user)})))`,
      );
  const usable = prepare((p: { user: string; integration: string }) =>
    usableBy(p.user).where('team_connections.integration', '=', p.integration),
  );
  const reachable = prepare((p: { user: string }) =>
    db
      .selectFrom('connections')
      .select((is) => [...own, is.cast<TeamRule['access'] | null>(is.val(null), 'text').as('ceiling')])
      .where('user_id', '=', p.user)
      .unionAll(usableBy(p.user)),
  );
  const rules = prepare(() =>
    db.selectFrom('team_connections').select(columns('team_connections')).orderBy('integration'),
  );
  const groups = prepare(() => db.selectFrom('team_groups').select(columns('team_groups')).orderBy('name'));
  const people = prepare(() => db.selectFrom('team_people').select(columns('team_people')));

  const put = createPutConnection(source);
  const isConnected = (integration: string) =>
    sql<boolean>`exists (select 1 from connections where user_id = ${EVERYONE} and integration = ${integration} and account = ${TEAM_ACCOUNT})`;
  // A rule outlives a connection that was deleted with its import, and must not hold for the next one.
  const forgetRule = prepare((p: { integration: string }) =>
    db
      .deleteFrom('team_connections')
      .where('integration', '=', p.integration)
      .where((is) => is.not(isConnected(p.integration))),
  );
  const forgetPeople = prepare((p: { integration: string }) =>
    db
      .deleteFrom('team_people')
      .where('integration', '=', p.integration)
      .where((is) => is.not(isConnected(p.integration))),
  );
  const forgetGroups = prepare((p: { integration: string }) =>
    db
      .deleteFrom('team_groups')
      .where('integration', '=', p.integration)
      .where((is) => is.not(isConnected(p.integration))),
  );
  const putRule = prepare((p: Stored<TeamRule>) =>
    db
      .insertInto('team_connections')
      .values(values('team_connections', p))
      .onConflict((conflict) =>
        conflict.column('integration').doUpdateSet((is) => ({
          connected_by: is.ref('excluded.connected_by'),
          connected_at: is.ref('excluded.connected_at'),
          updated_at: is.ref('excluded.updated_at'),
        })),
      ),
  );
  const touch = prepare((p: { integration: string; now: number }) =>
    db.updateTable('team_connections').set({ updated_at: p.now }).where('integration', '=', p.integration),
  );
  const setAccess = prepare((p: { integration: string; access: TeamRule['access'] }) =>
    db.updateTable('team_connections').set({ access: p.access }).where('integration', '=', p.integration),
  );
  const setEveryone = prepare((p: { integration: string; everyone: number }) =>
    db.updateTable('team_connections').set({ everyone: p.everyone }).where('integration', '=', p.integration),
  );
  const removeRule = prepare((p: { integration: string }) =>
    db.deleteFrom('team_connections').where('integration', '=', p.integration),
  );
  const removePeople = prepare((p: { integration: string }) =>
    db.deleteFrom('team_people').where('integration', '=', p.integration),
  );
  const addPeople = (integration: string, ids: readonly string[]) =>
    db
      .insertInto('team_people')
      .columns(['integration', 'user_id'])
      .expression(
        db
          .selectFrom('team_connections')
          .innerJoin('users', (join) => join.onTrue())
          .select(['team_connections.integration', 'users.id'])
          .where('team_connections.integration', '=', integration)
          .where('users.service_key_id', 'is', null)
          .where('users.id', 'in', selectJsonTexts(source, JSON.stringify(ids))),
      )
      .compile();
  const removeGroups = prepare((p: { integration: string }) =>
    db.deleteFrom('team_groups').where('integration', '=', p.integration),
  );
  const addGroups = (integration: string, names: readonly string[]) =>
    db
      .insertInto('team_groups')
      .columns(['integration', 'name'])
      .expression(
        db
          .selectFrom(selectJsonTexts(source, toJson(names)).as('named'))
          .innerJoin('team_connections', (join) => join.onTrue())
          .select(['team_connections.integration', 'named.text'])
          .where('team_connections.integration', '=', integration),
      )
      .onConflict((conflict) => conflict.doNothing())
      .compile();
  const noteUse = prepare((p: { integration: string; now: number }) =>
    db
      .updateTable('team_connections')
      .set({ last_used_at: p.now })
      .where('integration', '=', p.integration)
      .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', p.now)])),
  );
  const end = endApprovals(db);

  return {
    async usable(user, integration) {
      const row = await one(usable({ user, integration }));
      if (row === null) return null;
      const { ceiling, ...connection } = row;
      return { connection: toConnection(connection), access: ceiling };
    },
    async reachable(user) {
      const found: Awaited<ReturnType<TeamConnections['reachable']>> = { own: [], team: [] };
      for (const { ceiling, ...row } of await all(reachable({ user }))) {
        const connection: Connection = toConnection(row);
        if (ceiling === null) found.own.push(connection);
        else found.team.push({ connection, access: ceiling });
      }
      return found;
    },
    rules: async () => (await all(rules({}))).map((row) => ({ ...row, everyone: row.everyone === 1 })),
    people: () => all(people({})),
    groups: () => all(groups({})),
    async save(connection, { connected_by, connected_at }) {
      const { integration } = connection;
      const rule = { integration, everyone: 0, access: 'read' as const, last_used_at: null };
      await batch([
        forgetRule({ integration }),
        forgetPeople({ integration }),
        forgetGroups({ integration }),
        put(toStored(connection)),
        putRule({ ...rule, connected_by, connected_at, updated_at: connected_at }),
        end.ofTeam({ integration }),
      ]);
    },
    async change(integration, { access, who, groups: named }, now) {
      const [touched] = await batch([
        touch({ integration, now }),
        ...(access === undefined ? [] : [setAccess({ integration, access })]),
        ...(who === undefined
          ? []
          : [
              setEveryone({ integration, everyone: who === 'everyone' ? 1 : 0 }),
              removePeople({ integration }),
              ...(who === 'everyone' ? [] : [addPeople(integration, who)]),
            ]),
        ...(named === undefined ? [] : [removeGroups({ integration }), addGroups(integration, named)]),
      ]);
      return touched.changes === 1;
    },
    async withdraw(integration) {
      await batch([
        removeRule({ integration }),
        removePeople({ integration }),
        removeGroups({ integration }),
        end.ofTeam({ integration }),
      ]);
    },
    async noteUse(integration, now) {
      await change(noteUse({ integration, now }));
    },
  };
}
