// A database whose schema is looked after before its first statement: for runtimes without a start of their own.
import { CompiledQuery } from 'kysely';
import { createSchema, type Engine } from './engine.ts';
import { schemaNames } from './tables.ts';

/** What is known of a database, kept for as long as nothing else can change it back. */
export interface SchemaSeen {
  complete: boolean;
}

/** One look instead of a statement for each table: at the edge each would be a way to the database and back. */
export function openLazily(engine: Engine, seen: SchemaSeen): Engine {
  let preparing: Promise<void> | null = null;

  async function prepare(): Promise<void> {
    if (seen.complete) return;
    const { rows } = await engine.run(countOf(engine));
    // the one row of `countOf`
    const [first] = rows as { there: number }[];
    if (first?.there !== schemaNames().length) await createSchema(engine);
    seen.complete = true;
  }

  const ready = () => (preparing ??= prepare());

  return {
    ...engine,
    async run(query) {
      await ready();
      return engine.run(query);
    },
    async batch(queries) {
      await ready();
      return engine.batch(queries);
    },
  };
}

function countOf({ dialect }: Engine): CompiledQuery {
  const names = schemaNames()
    .map((name) => `'${name}'`)
    .join(', ');
  return CompiledQuery.raw(
    dialect === 'sqlite'
      ? `select count(*) as there from sqlite_master where name in (${names})`
      : `select count(*) as there from unnest(array[${names}]) as name where to_regclass(name) is not null`,
  );
}
