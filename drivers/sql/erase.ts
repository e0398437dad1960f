// Deletes what is stored of a person. A statement does nothing while the person's row is there.
import { type CompiledQuery, sql as raw } from 'kysely';
import type { People } from '../../src/ports/people.ts';
import { CLEARED } from './audit-segments.ts';
import { createRemoveImports } from './imports.ts';
import { isOneOf, toJson } from './json-rows.ts';
import { PORTION_ROWS } from './portions.ts';
import { prepare } from './prepare.ts';
import { scriptsOf } from './scripts.ts';
import type { Table } from './schema.ts';
import type { Sql } from './sql.ts';
import { createLockUsage } from './usage.ts';

/** The tables whose rows go with their person. */
const OWNED = [
  'connections',
  'oauth_codes',
  'refresh_tokens',
  'jots',
  'agent_keys',
  'machine_clients',
  'trusted_rules',
  'agent_grants',
  'approvals',
  'outside_reads',
  'tasks',
  'task_approvals',
  'call_details',
  'execution_keys',
  // A write of events begins with the stream, and then finds neither.
  'event_streams',
  'event_pollers',
  'event_forwards',
  'event_subscriptions',
  'events',
  'team_people',
  'person_groups',
  'directory_people',
  'directory_members',
  'set_uses',
  'actor_links',
  'destinations',
  'deliveries',
  'notice_settings',
  'script_runs',
  'script_calls',
] as const satisfies Table[];

/** Deletes what these people own, who are gone by then. */
export function createRemoveBelongings(sql: Sql): (ids: readonly string[]) => CompiledQuery[] {
  const { db, dialect } = sql;
  const removeImports = createRemoveImports(sql);
  /** The ids are a list in JSON. */
  type Ids = { ids: string };
  const isOwn = (column: string, { ids }: Ids) =>
    raw<boolean>`${isOneOf(dialect, column, ids)} and ${raw.ref(column)} not in (select id from users where ${isOneOf(dialect, 'users.id', ids)})`;
  const removeOwned = OWNED.map((table) =>
    prepare((p: Ids) => db.deleteFrom(table).where(isOwn('user_id', p))),
  );
  const ownSets = (p: Ids) => db.selectFrom('sets').select('sets.id').where(isOwn('owner', p));
  const removeSetUses = prepare((p: Ids) => db.deleteFrom('set_uses').where('set_id', 'in', ownSets(p)));
  const removeOwnedBy = (['policies', 'sets', 'scripts'] as const).map((table) =>
    prepare((p: Ids) => db.deleteFrom(table).where(isOwn('owner', p))),
  );
  const removeScriptRevisions = prepare((p: Ids & { revisions: string }) =>
    db
      .deleteFrom('import_revisions')
      .where(
        raw<boolean>`${isOneOf(dialect, 'owner', p.revisions)} and owner not in (select ${raw.lit(scriptsOf(''))} || id from users where ${isOneOf(dialect, 'users.id', p.ids)})`,
      ),
  );
  const removeJotViews = prepare((p: Ids) =>
    db
      .deleteFrom('jot_views')
      .where('jot', 'in', (is) => is.selectFrom('jots').select('name').where(isOwn('user_id', p))),
  );
  const lockUsage = createLockUsage(sql);
  const removeUsage = prepare((p: Ids) => db.deleteFrom('usage_counts').where(isOwn('user_id', p)));
  return (people) => {
    const ids = toJson(people);
    return [
      // Comes before the connections, as when an import is deleted: no two transactions wait for each other.
      ...removeImports(ids),
      removeJotViews({ ids }),
      ...removeOwned.map((remove) => remove({ ids })),
      removeSetUses({ ids }),
      ...removeOwnedBy.map((remove) => remove({ ids })),
      removeScriptRevisions({ ids, revisions: toJson(people.map(scriptsOf)) }),
      // Another process may be adding counts of the person: from here on it finds nobody to add them to.
      lockUsage({}),
      removeUsage({ ids }),
    ];
  };
}

/** The people of one look. Those who are there for longest come first, so the next look finds the others. */
const DELETING_ROWS = 5_000;

/** Where a row names somebody who is not its owner. */
const NAMING = [
  ['imports', 'created_by'],
  ['sets', 'created_by'],
  ['service_keys', 'created_by'],
  ['scripts', 'created_by'],
  ['scripts', 'reviewed_by'],
  ['team_connections', 'connected_by'],
  ['trusted_issuers', 'created_by'],
] as const;

type Erases = 'deleting' | 'actorsToErase' | 'pseudonymize' | 'erase';

export function createErase(sql: Sql): Pick<People, Erases> {
  const { db, dialect, all, change, batch, scrub } = sql;
  const removeBelongings = createRemoveBelongings(sql);
  const begun = db
    .selectFrom('users')
    .select(['id', 'email', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: number }>()
    .orderBy('deleted_at');
  const deleting = prepare(() => begun.where('service_key_id', 'is', null).limit(DELETING_ROWS));
  const actors = prepare((p: { until: number; limit: number; skipped: number }) =>
    begun
      .clearSelect()
      .select(['id', 'deleted_at', 'service_key_id'])
      .where('service_key_id', 'is not', null)
      .$narrowType<{ deleted_at: number; service_key_id: string }>()
      .where('deleted_at', '<=', p.until)
      .limit(p.limit)
      .offset(p.skipped),
  );
  const pseudonymize = prepare((p: { ids: string; pseudonym: string }) =>
    db
      .updateTable('audit')
      // The texts may quote arguments, labels and names are often those of people, and the log has the id of the person
      // beside that of the request.
      .set({ ...CLEARED, user_id: p.pseudonym, salt: null })
      .where(
        'id',
        'in',
        db
          .selectFrom('audit')
          .select('id')
          .where(isOneOf(dialect, 'user_id', p.ids))
          .limit(PORTION_ROWS),
      ),
  );
  const removePeople = prepare((p: { ids: string }) =>
    db
      .deleteFrom('users')
      .where(isOneOf(dialect, 'id', p.ids))
      .where('deleted_at', 'is not', null),
  );
  const removeOthers = (['pending_revocations', 'flows', 'jot_leftovers'] as const).map((table) =>
    prepare((p: { ids: string }) => db.deleteFrom(table).where(isOneOf(dialect, 'user_id', p.ids))),
  );
  const removeClients = prepare((p: { ids: string }) =>
    db.deleteFrom('provider_clients').where('integration', 'in', (is) =>
      is
        .selectFrom('imports')
        .select((row) => row(row.val('import:'), '||', row.ref('imports.id')).as('client'))
        .where(isOneOf(dialect, 'owner', p.ids)),
    ),
  );
  const rename = NAMING.map(([table, column]) =>
    prepare((p: { ids: string; pseudonym: string }) =>
      db
        .updateTable(table)
        .set({ [column]: p.pseudonym })
        .where(isOneOf(dialect, column, p.ids)),
    ),
  );
  return {
    deleting: () => all(deleting({})),
    actorsToErase: (until, { limit, skipped }) => all(actors({ until, limit, skipped })),
    pseudonymize: async (people, pseudonym) =>
      (await change(pseudonymize({ ids: toJson(people), pseudonym }))) >= PORTION_ROWS,
    async erase(people, pseudonym) {
      const ids = toJson(people);
      await batch([
        removeClients({ ids }),
        removePeople({ ids }),
        ...removeBelongings(people),
        ...removeOthers.map((remove) => remove({ ids })),
        ...rename.map((each) => each({ ids, pseudonym })),
      ]);
      scrub();
    },
  };
}
