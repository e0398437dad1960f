// Integrations that people have added. Every write of an import also renews the revision of its owner.
import { type CompiledQuery, sql } from 'kysely';
import type { ImportRecord } from '../../src/ports/records.ts';
import { EVERYONE, type Imports } from '../../src/ports/store.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { type At, createImportTools, type Write } from './import-tools.ts';
import { isOneOf, selectJsonRows, toJson } from './json-rows.ts';
import { columns, prepare } from './prepare.ts';
import { scriptsOf } from './scripts.ts';
import type { Sql } from './sql.ts';

// Held within one transaction only, so that imports are created one after the other.
const CREATING = 'create import';

type Name = Pick<ImportRecord, 'owner' | 'name'>;
type Removal = At & Name;

export function createImports(source: Sql): Imports {
  const { db, all, one, change, batch } = source;
  const tools = createImportTools(source);
  const imports = db.selectFrom('imports').select(columns('imports'));
  const revisions = prepare((p: { user: string; everyonesScripts: string; scripts: string }) =>
    db
      .selectFrom('import_revisions')
      .select(['owner', 'revision'])
      .where('owner', 'in', [EVERYONE, p.user, p.everyonesScripts, p.scripts]),
  );
  const list = prepare((p: { owner: string }) => imports.where('owner', '=', p.owner).orderBy('name'));
  const get = prepare((p: Name) => imports.where('owner', '=', p.owner).where('name', '=', p.name));
  const checkedAt = sql<number>`coalesce(checked_at, 0)`;
  const due = prepare((p: { before: number; limit: number }) =>
    imports.where(checkedAt, '<=', p.before).orderBy(checkedAt).limit(p.limit),
  );
  const mark = prepare((p: { id: string; now: number }) =>
    db.updateTable('imports').set({ checked_at: p.now }).where('id', '=', p.id),
  );
  const page = prepare((p: { after: string; limit: number }) =>
    imports.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swap = prepare((p: { id: string; seen: string; next: string }) =>
    db.updateTable('imports').set({ settings: p.next }).where('id', '=', p.id).where('settings', '=', p.seen),
  );
  /** Makes the version of the import the revision of its owner, if the import has this version. */
  const renewRevision = prepare((p: At) =>
    db
      .insertInto('import_revisions')
      .columns(['owner', 'revision'])
      .expression(
        db
          .selectFrom('imports')
          .select(['owner', 'version'])
          .where('id', '=', p.id)
          .where('version', '=', p.version),
      )
      .onConflict((conflict) =>
        conflict.column('owner').doUpdateSet((is) => ({ revision: is.ref('excluded.revision') })),
      ),
  );

  /** The imports that keep an owner from a name. */
  const namesakes = (p: Name) =>
    db
      .selectFrom('imports')
      .select('id')
      .where('name', '=', p.name)
      .where((is) =>
        is.or([
          is('owner', 'in', [EVERYONE, p.owner]),
          is(is.cast<string>(is.val(p.owner), 'text'), '=', EVERYONE),
        ]),
      );
  const owned = (p: Name) =>
    db
      .selectFrom('imports')
      .select(sql<number>`count(*)`.as('count'))
      .where('owner', '=', p.owner);
  const taken = prepare((p: Name) => namesakes(p).limit(1));
  const count = prepare(owned);
  // On PostgreSQL a second transaction waits at this row until the first one has committed.
  const begin = prepare((p: { id: string; now: number }) =>
    db
      .insertInto('leases')
      .values({ name: CREATING, holder: p.id, expires_at: p.now })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  const insert = prepare((p: Name & Write & { rows: string; most: number }) =>
    db
      .insertInto('imports')
      .columns(columns('imports'))
      .expression(
        selectJsonRows(source, 'imports', p.rows)
          .where((is) => is.not(is.exists(namesakes(p))))
          .where(owned(p), '<', p.most)
          .where(tools.isWhole(p)),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const end = prepare((p: { id: string }) =>
    db.deleteFrom('leases').where('name', '=', CREATING).where('holder', '=', p.id),
  );

  const replacement = (p: ImportRecord & { seenVersion: string; seenSettings: string }) =>
    db
      .updateTable('imports')
      .set({
        kind: p.kind,
        display_name: p.display_name,
        description: p.description,
        address: p.address,
        settings: p.settings,
        created_by: p.created_by,
        updated_at: p.updated_at,
        checked_at: p.checked_at,
        check_error: p.check_error,
        version: p.version,
      })
      .where('id', '=', p.id)
      .where('version', '=', p.seenVersion)
      .where('settings', '=', p.seenSettings);
  const replace = prepare(replacement);
  const replaceWith = prepare((p: Parameters<typeof replacement>[0] & Write) =>
    replacement(p).where(tools.isWhole(p)),
  );

  const beginRemoval = prepare((p: Removal) =>
    db
      .updateTable('imports')
      .set({ version: p.version })
      .where('id', '=', p.id)
      .where('owner', '=', p.owner)
      .where('name', '=', p.name),
  );
  const connectionsOf = (p: Removal) =>
    db
      .deleteFrom('connections')
      .where('integration', '=', p.name)
      .where((is) =>
        is.exists(
          db.selectFrom('imports').select('id').where('id', '=', p.id).where('version', '=', p.version),
        ),
      );
  const disconnectAll = prepare(connectionsOf);
  const disconnectOwner = prepare((p: Removal) => connectionsOf(p).where('user_id', '=', p.owner));
  const removePages = prepare((p: Removal) =>
    db
      .deleteFrom('import_pages')
      .where('import_id', '=', p.id)
      .where((is) =>
        is.exists(
          db.selectFrom('imports').select('id').where('id', '=', p.id).where('version', '=', p.version),
        ),
      ),
  );
  const remove = prepare((p: Removal) =>
    db.deleteFrom('imports').where('id', '=', p.id).where('version', '=', p.version),
  );

  /** Returns why the import cannot be created. */
  async function refusal(record: ImportRecord, most: number): Promise<'taken' | 'full' | null> {
    if ((await one(taken(record))) !== null) return 'taken';
    return ((await one(count(record)))?.count ?? 0) >= most ? 'full' : null;
  }

  return {
    async revision(user) {
      const [everyonesScripts, scripts] = [scriptsOf(EVERYONE), scriptsOf(user)];
      const rows = await all(revisions({ user, everyonesScripts, scripts }));
      if (rows.length === 0) return null;
      const of = (name: string) => rows.find(({ owner }) => owner === name)?.revision ?? null;
      const saved = [of(everyonesScripts), of(scripts)];
      return {
        everyone: of(EVERYONE),
        own: of(user),
        scripts: saved.every((each) => each === null) ? null : saved.join(' '),
      };
    },
    list: (owner) => all(list({ owner })),
    get: (owner, name) => one(get({ owner, name })),
    tools: (importIds) => tools.list(importIds),
    sizes: (owner) => tools.sizes(owner),
    async create(record, made, most) {
      // A refusal that is known beforehand saves storing the tools.
      const early = await refusal(record, most);
      if (early !== null) return early;
      const { id, created_at: now } = record;
      const write = await tools.store(record, made);
      const [, , created] = await batch([
        begin({ id, now }),
        tools.show(write),
        insert({ ...record, ...write, rows: toJson([record]), most }),
        tools.undo({ ...record, ...write }),
        renewRevision(record),
        end({ id }),
      ]);
      if (created.changes === 1) return 'created';
      const late = await refusal(record, most);
      if (late === null) throw new Unavailable('[sql] the import was not created: something else changed it');
      return late;
    },
    async update(seen, next, { tools: changed = [], removed = [] }) {
      const replacing = { ...next, seenVersion: seen.version, seenSettings: seen.settings };
      if (changed.length === 0 && removed.length === 0) {
        const [replaced] = await batch([replace(replacing), renewRevision(next)]);
        return replaced.changes === 1;
      }
      const write = await tools.store(next, changed);
      const names = toJson([...changed.map(({ name }) => name), ...removed]);
      const [, replaced] = await batch([
        tools.show(write),
        replaceWith({ ...replacing, ...write }),
        tools.undo({ ...next, ...write }),
        tools.removeOlder({ ...next, ...write, names }),
        renewRevision(next),
      ]);
      return replaced.changes === 1;
    },
    async delete({ id, owner, name }) {
      const removal = { id, owner, name, version: `deleted ${id}` };
      const [, , , , , removed] = await batch([
        beginRemoval(removal),
        renewRevision(removal),
        tools.removeAll(removal),
        removePages(removal),
        owner === EVERYONE ? disconnectAll(removal) : disconnectOwner(removal),
        remove(removal),
      ]);
      return removed.changes === 1;
    },
    due: (before, limit) => all(due({ before, limit })),
    markChecked: async (id, now) => void (await change(mark({ id, now }))),
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    swapSettings: async (id, seen, next) => (await change(swap({ id, seen, next }))) === 1,
  };
}

/** Returns a function that makes the statements which delete the imports of a user who has just been deleted. */
export function createRemoveImports({ db, dialect }: Sql): (owners: string) => CompiledQuery[] {
  /** The owners are a list of texts in JSON. */
  type Owners = { owners: string };
  const isGone = (p: Owners) =>
    sql<boolean>`${isOneOf(dialect, 'owner', p.owners)} and owner not in (select id from users where ${isOneOf(dialect, 'users.id', p.owners)})`;
  const imports = (p: Owners) => db.selectFrom('imports').select('id').where(isGone(p));
  /** Makes updates of these imports wait on PostgreSQL, so that they leave no tools behind. */
  const lock = prepare((p: Owners) =>
    db
      .updateTable('imports')
      .set((is) => ({ version: is.ref('version') }))
      .where(isGone(p)),
  );
  const removeTools = prepare((p: Owners) =>
    db.deleteFrom('import_tools').where('import_id', 'in', imports(p)).where('expires_at', 'is', null),
  );
  const removePages = prepare((p: Owners) =>
    db.deleteFrom('import_pages').where('import_id', 'in', imports(p)),
  );
  const [removeImports, removeRevision] = (['imports', 'import_revisions'] as const).map((table) =>
    prepare((p: Owners) => db.deleteFrom(table).where(isGone(p))),
  );
  return (owners) =>
    [lock, removeTools, removePages, removeImports, removeRevision].flatMap(
      (make) => make?.({ owners }) ?? [],
    );
}
