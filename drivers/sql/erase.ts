// Deletes what is stored of a person. A statement does nothing while the person's row is there.
import type { CompiledQuery } from 'kysely';
import type { People } from '../../src/ports/people.ts';
import { CLEARED } from './audit-segments.ts';
import { createRemoveImports } from './imports.ts';
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

export function createRemoveBelongings(sql: Sql): (id: string) => CompiledQuery[] {
  const { db } = sql;
  const removeImports = createRemoveImports(sql);
  const isGone = (id: string) => db.selectFrom('users').select('id').where('id', '=', id);
  const removeOwned = OWNED.map((table) =>
    prepare((p: { id: string }) =>
      db.deleteFrom(table).where('user_id', '=', p.id).where('user_id', 'not in', isGone(p.id)),
    ),
  );
  const removeRules = prepare((p: { id: string }) =>
    db.deleteFrom('policies').where('owner', '=', p.id).where('owner', 'not in', isGone(p.id)),
  );
  const ownSets = (p: { id: string }) =>
    db.selectFrom('sets').select('sets.id').where('owner', '=', p.id).where('owner', 'not in', isGone(p.id));
  const removeSetUses = prepare((p: { id: string }) =>
    db.deleteFrom('set_uses').where('set_id', 'in', ownSets(p)),
  );
  const removeSets = prepare((p: { id: string }) =>
    db.deleteFrom('sets').where('owner', '=', p.id).where('owner', 'not in', isGone(p.id)),
  );
  const removeScripts = prepare((p: { id: string }) =>
    db.deleteFrom('scripts').where('owner', '=', p.id).where('owner', 'not in', isGone(p.id)),
  );
  const removeScriptRevision = prepare((p: { id: string; revision: string }) =>
    db
      .deleteFrom('import_revisions')
      .where('owner', '=', p.revision)
      .where((is) => is(is.val(p.id), 'not in', isGone(p.id))),
  );
  const removeJotViews = prepare((p: { id: string }) =>
    db
      .deleteFrom('jot_views')
      .where('jot', 'in', (is) => is.selectFrom('jots').select('name').where('user_id', '=', p.id))
      .where((is) => is(is.val(p.id), 'not in', isGone(p.id))),
  );
  const lockUsage = createLockUsage(sql);
  const removeUsage = prepare((p: { id: string }) =>
    db.deleteFrom('usage_counts').where('user_id', '=', p.id).where('user_id', 'not in', isGone(p.id)),
  );
  return (id) => [
    // Comes before the connections, as when an import is deleted: no two transactions wait for each other.
    ...removeImports(id),
    removeJotViews({ id }),
    ...removeOwned.map((remove) => remove({ id })),
    removeRules({ id }),
    removeSetUses({ id }),
    removeSets({ id }),
    removeScripts({ id }),
    removeScriptRevision({ id, revision: scriptsOf(id) }),
    // Another process may be adding counts of the person: from here on it finds nobody to add them to.
    lockUsage({}),
    removeUsage({ id }),
  ];
}

/** The people of one look. Those who are there for longest come first, so the next look finds the others. */
const DELETING_ROWS = 5_000;

export function createErase(sql: Sql): Pick<People, 'deleting' | 'pseudonymize' | 'erase'> {
  const { db, all, change, batch, scrub } = sql;
  const removeBelongings = createRemoveBelongings(sql);
  const deleting = prepare(() =>
    db
      .selectFrom('users')
      .select(['id', 'email', 'deleted_at'])
      .where('deleted_at', 'is not', null)
      .$narrowType<{ deleted_at: number }>()
      // A product that leaves with all its actors keeps no person waiting. decision: 074
      .orderBy((is) => is.fn.coalesce('service_key_id', is.val('')))
      .orderBy('deleted_at')
      .limit(DELETING_ROWS),
  );
  const pseudonymize = prepare((p: { id: string; pseudonym: string }) =>
    db
      .updateTable('audit')
      // The texts may quote arguments, labels and names are often those of people, and the log has the id of the person
      // beside that of the request.
      .set({ ...CLEARED, user_id: p.pseudonym, salt: null })
      .where(
        'id',
        'in',
        db.selectFrom('audit').select('id').where('user_id', '=', p.id).orderBy('id').limit(PORTION_ROWS),
      ),
  );
  const removePerson = prepare((p: { id: string }) =>
    db.deleteFrom('users').where('id', '=', p.id).where('deleted_at', 'is not', null),
  );
  const removeOthers = (['pending_revocations', 'flows', 'jot_leftovers'] as const).map((table) =>
    prepare((p: { id: string }) => db.deleteFrom(table).where('user_id', '=', p.id)),
  );
  const removeClients = prepare((p: { id: string }) =>
    db.deleteFrom('provider_clients').where('integration', 'in', (is) =>
      is
        .selectFrom('imports')
        .select((row) => row(row.val('import:'), '||', row.ref('imports.id')).as('client'))
        .where('owner', '=', p.id),
    ),
  );
  const renameConnector = prepare((p: { id: string; pseudonym: string }) =>
    db.updateTable('team_connections').set({ connected_by: p.pseudonym }).where('connected_by', '=', p.id),
  );
  const renameKeyMaker = prepare((p: { id: string; pseudonym: string }) =>
    db.updateTable('service_keys').set({ created_by: p.pseudonym }).where('created_by', '=', p.id),
  );
  const renameSetMaker = prepare((p: { id: string; pseudonym: string }) =>
    db.updateTable('sets').set({ created_by: p.pseudonym }).where('created_by', '=', p.id),
  );
  const renameAuthor = prepare((p: { id: string; pseudonym: string }) =>
    db.updateTable('scripts').set({ created_by: p.pseudonym }).where('created_by', '=', p.id),
  );
  const renameReviewer = prepare((p: { id: string; pseudonym: string }) =>
    db.updateTable('scripts').set({ reviewed_by: p.pseudonym }).where('reviewed_by', '=', p.id),
  );
  const renameMaker = prepare((p: { id: string; pseudonym: string }) =>
    db.updateTable('imports').set({ created_by: p.pseudonym }).where('created_by', '=', p.id),
  );
  const renameTruster = prepare((p: { id: string; pseudonym: string }) =>
    db.updateTable('trusted_issuers').set({ created_by: p.pseudonym }).where('created_by', '=', p.id),
  );
  return {
    deleting: () => all(deleting({})),
    pseudonymize: async (id, pseudonym) => (await change(pseudonymize({ id, pseudonym }))) >= PORTION_ROWS,
    async erase({ id }, pseudonym) {
      await batch([
        removeClients({ id }),
        removePerson({ id }),
        ...removeBelongings(id),
        ...removeOthers.map((remove) => remove({ id })),
        renameMaker({ id, pseudonym }),
        renameSetMaker({ id, pseudonym }),
        renameKeyMaker({ id, pseudonym }),
        renameAuthor({ id, pseudonym }),
        renameReviewer({ id, pseudonym }),
        renameConnector({ id, pseudonym }),
        renameTruster({ id, pseudonym }),
      ]);
      scrub();
    },
  };
}
