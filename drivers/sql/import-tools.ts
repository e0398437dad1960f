// The tools of imports. A write stores them unseen, a portion at a time, and shows them all in the batch that writes the
// import. Tools that nothing has shown expire and are swept.
import { sql } from 'kysely';
import type { ImportRecord, ImportToolRecord } from '../../src/ports/records.ts';
import { jsonPortions, selectJsonRows, selectJsonTexts } from './json-rows.ts';
import { columns, prepare } from './prepare.ts';
import type { ImportSize } from '../../src/ports/store.ts';
import type { Sql } from './sql.ts';

const UNFINISHED_SECONDS = 3_600;
/** Bounds the parameters of a statement. */
const IDS = 50;

/** An import at a version. Versions never repeat. */
export interface At {
  id: string;
  version: string;
}

/** The tools that a write has stored for an import. */
export interface Write {
  id: string;
  write: string;
  tools: number;
}

const RECORD = [
  'import_id',
  'name',
  'position',
  'state',
  'definition',
  'digest',
  'found',
  'found_digest',
] as const satisfies readonly (keyof ImportToolRecord)[];

export function createImportTools(source: Sql) {
  const { db, all, change } = source;
  const insert = prepare((p: { rows: string }) =>
    db
      .insertInto('import_tools')
      .columns(columns('import_tools'))
      .expression(selectJsonRows(source, 'import_tools', p.rows)),
  );
  const isAt = (p: At) =>
    db.selectFrom('imports').select('id').where('id', '=', p.id).where('version', '=', p.version);
  const sizes = prepare((p: { owner: string }) =>
    db
      .selectFrom('import_tools')
      .select([
        'import_id',
        sql<number>`count(*)`.as('tools'),
        sql<number>`sum(coalesce(length(definition), 0) + coalesce(length(found), 0))`.as('characters'),
      ])
      .where('import_id', 'in', db.selectFrom('imports').select('id').where('owner', '=', p.owner))
      .where('expires_at', 'is', null)
      .groupBy('import_id'),
  );
  const written = (p: Write) =>
    db
      .selectFrom('import_tools')
      .select(sql<number>`count(*)`.as('count'))
      .where('import_id', '=', p.id)
      .where('write_id', '=', p.write)
      .where('expires_at', 'is', null);

  return {
    async list(importIds: readonly string[]): Promise<ImportToolRecord[]> {
      const ids = [...new Set(importIds)].toSorted();
      const found: ImportToolRecord[] = [];
      for (let at = 0; at < ids.length; at += IDS) {
        const query = db
          .selectFrom('import_tools')
          .select(RECORD)
          .where('import_id', 'in', ids.slice(at, at + IDS))
          .where('expires_at', 'is', null)
          .orderBy('import_id')
          .orderBy('position');
        for (const tool of await all(query.compile())) found.push(tool);
      }
      return found;
    },

    async sizes(owner: string): Promise<ImportSize[]> {
      const rows = await all(sizes({ owner }));
      return rows.map(({ import_id, tools, characters }) => ({
        import_id,
        tools: toNumber(tools),
        characters: toNumber(characters),
      }));
    },

    /** Stores tools that nobody sees yet. */
    async store(
      { id, updated_at, checked_at }: ImportRecord,
      tools: readonly ImportToolRecord[],
    ): Promise<Write> {
      const write = crypto.randomUUID();
      const expires_at = Math.max(updated_at, checked_at ?? 0) + UNFINISHED_SECONDS;
      const rows = tools.map((tool) => ({
        ...tool,
        id: `${write} ${tool.name}`,
        import_id: id,
        write_id: write,
        expires_at,
      }));
      for (const portion of jsonPortions(rows)) await change(insert({ rows: portion }));
      return { id, write, tools: tools.length };
    },

    /** Shows the tools of a write. PostgreSQL keeps the sweep from them until the batch ends. */
    show: prepare((p: Write) =>
      db
        .updateTable('import_tools')
        .set({ expires_at: null })
        .where('import_id', '=', p.id)
        .where('write_id', '=', p.write),
    ),

    /** Holds when the sweep has left every shown tool of the write. */
    isWhole: (p: Write) => sql<boolean>`${written(p)} = ${p.tools}`,

    /** Deletes the tools of a write whose batch has not written the import. */
    undo: prepare((p: Write & At) =>
      db
        .deleteFrom('import_tools')
        .where('import_id', '=', p.id)
        .where('write_id', '=', p.write)
        .where((is) => is.not(is.exists(isAt(p)))),
    ),

    /** Deletes the tools of these names, but not those that the write has stored. */
    removeOlder: prepare((p: Write & At & { names: string }) =>
      db
        .deleteFrom('import_tools')
        .where('import_id', '=', p.id)
        .where('write_id', '<>', p.write)
        .where('expires_at', 'is', null)
        // Without `is true` PostgreSQL joins the list in a nested loop: 1.4 s for 2,000 names.
        .where(sql<boolean>`(name in ${selectJsonTexts(source, p.names)}) is true`)
        .where((is) => is.exists(isAt(p))),
    ),

    /** Leaves the tools of unfinished writes to those writes: two transactions would wait for each other. */
    removeAll: prepare((p: At) =>
      db
        .deleteFrom('import_tools')
        .where('import_id', '=', p.id)
        .where('expires_at', 'is', null)
        .where((is) => is.exists(isAt(p))),
    ),
  };
}

/** PostgreSQL counts in texts, whatever the query's type says. */
const toNumber = (count: unknown): number => Number(count);
