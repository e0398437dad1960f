// Cloudflare D1. The database's type is declared here, so no Workers package is needed.
import type { CompiledQuery } from 'kysely';
import { engineError, type Engine, type Result } from './engine.ts';

export interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  all(): Promise<D1Result>;
}

export interface D1Result {
  results: unknown[];
  meta: { changes?: number };
}

export interface D1Database {
  prepare(sql: string): D1Statement;
  batch(statements: D1Statement[]): Promise<D1Result[]>;
}

export function openD1(database: D1Database): Engine {
  const bind = ({ sql, parameters }: CompiledQuery) => database.prepare(sql).bind(...parameters);

  return {
    dialect: 'sqlite',
    maxParameters: 100,
    run: (query) => attempt(query.sql, async () => toResult(await bind(query).all())),
    batch: (queries) =>
      attempt(queries[0]?.sql ?? '', async () => (await database.batch(queries.map(bind))).map(toResult)),
    setUp: (statements) =>
      attempt('cannot make the tables', async () => {
        await database.batch(statements.map((statement) => database.prepare(statement)));
      }),
    close: async () => {},
  };
}

const toResult = ({ results, meta }: D1Result): Result => ({ rows: results, changes: meta.changes ?? 0 });

async function attempt<T>(statement: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw engineError('d1', statement, error, isLasting(error) ? 'lasting' : 'away');
  }
}

// D1 describes errors only in words. An error in the statement carries SQLite's code or is found before
// SQLite sees it; a full database stays full. Everything else (a lost connection, a reset or overloaded
// object) may succeed on retry. https://developers.cloudflare.com/d1/observability/debug-d1/
const LASTING =
  /\bSQLITE_(?!BUSY)|D1_(TYPE|EXEC)_ERROR|D1_COLUMN_NOTFOUND|Wrong number of parameter|No SQL statements|exceeded (D1's )?maximum/i;

function isLasting(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && LASTING.test(error.message));
}
