// PostgreSQL through postgres.js, on Node and (one engine per request) on Workers.
import type { CompiledQuery } from 'kysely';
import postgres from 'postgres';
import { engineError, type FailureKind, parameter, type Engine, type Result } from './engine.ts';
import { createPool, isAnswer, LostConnection, type Client } from './postgres-pool.ts';

export interface PostgresOptions {
  /** The maximum number of connections, at least 2. */
  max?: number;
}

// Shorter than any caller waits for an answer: an abandoned query must not stay in the queue and block all
// writers behind it.
const LOCK_TIMEOUT = '10s';

export function openPostgres(url: string, { max = 10 }: PostgresOptions = {}): Engine {
  // A batch never shares a client with single statements. postgres.js 3.4.9 sends `begin` behind other
  // queries, and with 100 queries under way it leaves the transaction open under those that follow
  // (connection.js, `onexecute`).
  const batches = createPool(url, { max: Math.max(1, Math.floor(max / 2)) });
  // Sends one statement at a time per connection. When the server drops or refuses a prepared statement
  // (behind a pooler, or after a table changed), postgres.js 3.4.9 repeats it among other queries, and
  // answers reach the wrong queries (connection.js, `retry`).
  const singles = createPool(url, { max: Math.max(1, Math.ceil(max / 2)), max_pipeline: 0 });

  return {
    dialect: 'postgres',
    maxParameters: 65_533,
    async run(query) {
      const bound = bind(query);
      return attempt(
        query.sql,
        singles.use((client) => execute(client, bound)),
      );
    },
    async batch(queries) {
      const bound = queries.map(bind);
      return attempt(
        queries[0]?.sql ?? '',
        batches.use((client) => client.begin((transaction) => inTurn(transaction, bound))),
      );
    },
    async setUp(statements) {
      // Uses one transaction per statement: a single one would hold table locks that can deadlock with the
      // batches of a running process.
      for (const statement of statements) {
        const locked = `select set_config('lock_timeout', '${LOCK_TIMEOUT}', true); select pg_advisory_xact_lock(hashtext('tool-gateway schema')); ${statement}`;
        await attempt(
          statement,
          singles.use((client) => client.unsafe(locked)),
        );
      }
    },
    async close() {
      await Promise.all([batches.close(), singles.close()]);
    },
  };
}

interface Bound {
  sql: string;
  parameters: (string | number | null)[];
}

const bind = ({ sql, parameters }: CompiledQuery): Bound => ({ sql, parameters: parameters.map(storable) });

/** PostgreSQL's text type stores every character but NUL. */
function storable(value: unknown): string | number | null {
  const checked = parameter(value);
  return typeof checked === 'string' && checked.includes('\0') ? checked.replaceAll('\0', '\uFFFD') : checked;
}

async function execute(client: Pick<Client, 'unsafe'>, { sql, parameters }: Bound): Promise<Result> {
  const rows = await client.unsafe(sql, parameters, { prepare: true });
  return { rows: [...rows], changes: rows.count };
}

async function inTurn(client: Pick<Client, 'unsafe'>, queries: readonly Bound[]): Promise<Result[]> {
  try {
    // Sends the statements one after the other, for the same reason as single ones.
    const results: Result[] = [];
    for (const query of queries) results.push(await execute(client, query));
    return results;
  } catch (error) {
    if (isAnswer(error)) throw error;
    // When the connection is gone, `begin` rejects. If this rejected too, postgres.js would write `rollback`
    // to a null socket, outside any promise.
    return new Promise<never>(() => {});
  }
}

async function attempt<T>(statement: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // The detail quotes values of the row, so it is left out.
    if (error instanceof postgres.PostgresError) delete error.detail;
    throw engineError('postgres', statement, error, kindOf(error));
  }
}

// Errors that the statement did not cause: a server that is read-only for a while (a standby before it takes over), out of
// memory, a full disk, or a conflict with other work. PostgreSQL, Appendix A
const KINDS: Readonly<Record<string, FailureKind>> = {
  '25006': 'away',
  '40001': 'passing',
  '40P01': 'passing',
  '53100': 'full',
  '53200': 'away',
  '55P03': 'passing',
  '57014': 'passing',
};

function kindOf(error: unknown): FailureKind {
  if (error instanceof LostConnection) return 'away';
  return error instanceof postgres.PostgresError ? (KINDS[error.code] ?? 'lasting') : 'lasting';
}
