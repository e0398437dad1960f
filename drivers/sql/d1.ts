// Cloudflare D1. Its type is ours, so that no Workers package is needed.
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
      attempt(`batch of ${queries[0]?.sql ?? 'nothing'}`, async () =>
        (await database.batch(queries.map(bind))).map(toResult),
      ),
    setUp: (statements) =>
      attempt('schema', async () => {
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
    throw engineError('d1', statement, error);
  }
}
