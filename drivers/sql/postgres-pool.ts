// Pools postgres.js connections so that they recover: a client that failed is not reused, and no query waits
// forever.
import postgres from 'postgres';

export type Client = postgres.Sql<{ int8: number }>;

export interface Pool {
  /** Rejects with the server's error, or with `LostConnection`. */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export class LostConnection extends Error {
  override readonly name = 'LostConnection';
}

const ANSWER_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_S = 10;
const CLOSE_TIMEOUT_S = 5;

// PostgreSQL, Appendix A: too_many_connections
const FULL = '53300';
// Waits 3 seconds in all for another process to end a connection.
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1600;

/**
 * postgres.js 3.4.9 keeps the unsent bytes and unanswered queries of a lost connection, so later queries on
 * it may hang (connection.js, `closed`). So the first failure retires the client, and later queries get a new
 * one.
 */
export function createPool(url: string, options: { max: number; max_pipeline?: number }): Pool {
  const users = new Map<Client, number>();
  let current = connect();

  function connect(): Client {
    const client = postgres(url, {
      ...options,
      connect_timeout: CONNECT_TIMEOUT_S,
      // Turns off the query for array types, which the schema does not use: if the connection breaks during
      // it, postgres.js leaves the rejection unhandled. (Only `reserve` needs it, which nothing here calls.)
      fetch_types: false,
      onnotice: () => {},
      types: { int8: { to: 20, from: [20], serialize: String, parse: Number } },
    });
    users.set(client, 0);
    return client;
  }

  const count = (client: Client, change: number): number => {
    const using = (users.get(client) ?? 0) + change;
    users.set(client, using);
    return using;
  };

  async function end(client: Client): Promise<void> {
    users.delete(client);
    await client.end({ timeout: CLOSE_TIMEOUT_S });
  }

  async function attempt<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = current;
    count(client, 1);
    try {
      return await orUnavailable(work(client));
    } catch (error) {
      if (isAnswer(error)) throw error;
      // A client whose connection was refused has sent nothing, and its other connections still work.
      if (client === current && !isFull(error)) current = connect();
      throw new LostConnection(error instanceof Error ? error.message : 'unknown error', { cause: error });
    } finally {
      if (count(client, -1) === 0 && client !== current) void end(client);
    }
  }

  return {
    async use(work) {
      for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
        try {
          return await attempt(work);
        } catch (error) {
          const mayRepeat = error instanceof LostConnection && isFull(error.cause);
          if (!mayRepeat || pause > LAST_PAUSE_MS) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
    async close() {
      await Promise.all([...users.keys()].map(end));
    },
  };
}

/** Whether the server answered; a FATAL error comes with the end of the connection. */
export const isAnswer = (error: unknown): error is postgres.PostgresError =>
  error instanceof postgres.PostgresError && error.severity !== 'FATAL';

/** Whether the server refused the connection because it has as many as it may: nothing was sent. */
const isFull = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === FULL;

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
