// Fills a database with what 0.1 stored: rows in every table, sealed and signed with the secret of the test app.
import { readFile } from 'node:fs/promises';
import { CompiledQuery } from 'kysely';
import type { Engine } from '../../../drivers/sql/engine.ts';

const FOLDER = new URL('../../fixtures/store-0.1/', import.meta.url);

export const readFixture = (file: string): Promise<string> => readFile(new URL(file, FOLDER), 'utf8');

/** A statement ends with a line. */
export const statements = (dump: string): string[] =>
  dump.split(/;\n/).filter((statement) => statement.trim() !== '');

export async function fill(engine: Engine): Promise<void> {
  const dump = await readFixture(engine.dialect === 'postgres' ? 'postgres.sql' : 'sqlite.sql');
  for (const statement of statements(dump)) await engine.run(CompiledQuery.raw(statement));
}
