// The pages of imported tools, by the digest of their HTML. A page is stored in parts, because D1 takes 2 MB in a row.
import { sql } from 'kysely';
import type { ImportPages } from '../../src/ports/store.ts';
import { jsonPortions, selectJsonRows, selectJsonTexts, toJson } from './json-rows.ts';
import { columns, prepare } from './prepare.ts';
import type { ImportPageRow } from './schema.ts';
import type { Sql } from './sql.ts';

const PART_CHARACTERS = 250_000;

interface Page {
  import_id: string;
  digest: string;
}

export function createImportPages(source: Sql): ImportPages {
  const { db, all, one, change } = source;
  /** An import that was deleted meanwhile gets no pages. */
  const insert = prepare((p: { id: string; rows: string }) =>
    db
      .insertInto('import_pages')
      .columns(columns('import_pages'))
      .expression(
        selectJsonRows(source, 'import_pages', p.rows).where((is) =>
          is.exists(db.selectFrom('imports').select('id').where('id', '=', p.id)),
        ),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const parts = prepare((p: Page) =>
    db
      .selectFrom('import_pages')
      .select('text')
      .where('import_id', '=', p.import_id)
      .where('digest', '=', p.digest)
      .orderBy('part'),
  );
  const others = prepare((p: { id: string; digests: string }) =>
    db
      .deleteFrom('import_pages')
      .where('import_id', '=', p.id)
      .where('digest', 'not in', selectJsonTexts(source, p.digests)),
  );
  const size = prepare((p: { owner: string; id: string }) =>
    db
      .selectFrom('import_pages')
      .select(sql<number>`coalesce(sum(length(text)), 0)`.as('characters'))
      .where('import_id', 'in', db.selectFrom('imports').select('id').where('owner', '=', p.owner))
      .where('import_id', '<>', p.id),
  );
  const orphans = prepare(() =>
    db.deleteFrom('import_pages').where('import_id', 'not in', db.selectFrom('imports').select('id')),
  );

  return {
    async store(id, pages) {
      const rows = pages.flatMap(({ digest, html }) => rowsOf({ import_id: id, digest }, html));
      for (const portion of jsonPortions(rows)) await change(insert({ id, rows: portion }));
    },
    async read(import_id, digest) {
      const found = await all(parts({ import_id, digest }));
      return found.length === 0 ? null : found.map(({ text }) => text).join('');
    },
    keepOnly: async (id, digests) => void (await change(others({ id, digests: toJson(digests) }))),
    size: async (owner, id) => toNumber((await one(size({ owner, id })))?.characters ?? 0),
    sweep: async () => void (await change(orphans({}))),
  };
}

/** PostgreSQL sums in texts, whatever the query's type says. */
const toNumber = (sum: unknown): number => Number(sum);

function rowsOf({ import_id, digest }: Page, html: string): ImportPageRow[] {
  const rows: ImportPageRow[] = [];
  for (let start = 0; start < html.length;) {
    // A part never ends between the halves of a surrogate pair, which JSON for PostgreSQL would lose.
    const last = html.charCodeAt(start + PART_CHARACTERS - 1);
    const end = start + PART_CHARACTERS - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    const part = rows.length;
    rows.push({
      id: `${import_id} ${digest} ${part}`,
      import_id,
      digest,
      part,
      text: html.slice(start, end),
    });
    start = end;
  }
  return rows;
}
