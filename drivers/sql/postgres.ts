// PostgreSQL through postgres.js, on Node and (one engine a request) on Workers.
import type { CompiledQuery } from 'kysely';
import postgres from 'postgres';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { engineError, type Engine, type Result } from './engine.ts';
import { createPool, isAnswer, LostConnection, type Client } from './postgres-pool.ts';

export interface PostgresOptions {
  /** Connections in all, at least 2. */
  max?: number;
}

export function openPostgres(url: string, { max = 10 }: PostgresOptions = {}): Engine {
  // A batch never shares a client with single statements: postgres.js 3.4.9 sends `begin` behind other queries, and
  // when 100 are under way it leaves the transaction open under those that follow (connection.js, `onexecute`).
  const batches = createPool(url, Math.max(1, Math.floor(max / 2)));
  const singles = createPool(url, Math.max(1, Math.ceil(max / 2)));

  return {
    dialect: 'postgres',
    maxParameters: 65_533,
    run: (query) => attempt(query.sql, singles.use((client) => execute(client, query))),
    batch: (queries) =>
      attempt(
        `batch of ${queries[0]?.sql ?? 'nothing'}`,
        batches.use((client) => client.begin((transaction) => together(transaction, queries))),
      ),
    async setUp(statements) {
      // A transaction for each: in one for all, its table locks could deadlock with the batches of a running process.
      for (const statement of statements) {
        const locked = `select pg_advisory_xact_lock(hashtext('tool-gateway schema')); ${statement}`;
        await attempt(statement, singles.use((client) => client.unsafe(locked)));
      }
    },
    async close() {
      await Promise.all([batches.close(), singles.close()]);
    },
  };
}

async function execute(client: Pick<Client, 'unsafe'>, query: CompiledQuery): Promise<Result> {
  const rows = await client.unsafe(query.sql, query.parameters.map(storable), { prepare: true });
  return { rows: [...rows], changes: rows.count };
}

/** PostgreSQL's text holds every character but NUL. */
function storable(value: unknown): string | number | null {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  if (typeof value === 'number' || value === null) return value;
  throw new TypeError(`a parameter must be text, a number or null, not ${typeof value}`);
}

async function together(client: Pick<Client, 'unsafe'>, queries: readonly CompiledQuery[]) {
  try {
    return await Promise.all(queries.map((query) => execute(client, query)));
  } catch (error) {
    if (isAnswer(error)) throw error;
    // The connection is gone, which rejects `begin`. Were this to reject too, postgres.js would write `rollback` to a
    // socket that is null, outside of any promise.
    return new Promise<never>(() => {});
  }
}

async function attempt<T>(statement: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // The detail quotes the row's values.
    if (error instanceof postgres.PostgresError) delete error.detail;
    throw engineError('postgres', statement, error, error instanceof LostConnection ? Unavailable : Error);
  }
}
