// Wakes by LISTEN and NOTIFY of PostgreSQL: one connection a process, opened when somebody waits for the first time.
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import type { Wakes } from '../../src/ports/wakes.ts';
import { createMessages } from './messages.ts';

export const CHANNEL = 'gateway_wakes';
const CONNECT_TIMEOUT_S = 10;
const CLOSE_TIMEOUT_S = 1;
const AGAIN_MS = 5_000;

/** `notify` sends by the connections that the store has. A pooler that breaks LISTEN is noticed: then nothing is heard. */
export function createPostgresWakes(url: string, notify: (text: string) => Promise<unknown>): Wakes {
  const messages = createMessages({ origin: randomUUID(), send: notify });
  let client: postgres.Sql | null = null;
  let retry: NodeJS.Timeout | undefined;

  function listen(): void {
    client ??= postgres(url, {
      max: 1,
      connect_timeout: CONNECT_TIMEOUT_S,
      fetch_types: false,
      onnotice: () => {},
    });
    // A connection that is lost is opened again, and greets again.
    client.listen(CHANNEL, messages.take, messages.greet).catch(() => {
      retry = setTimeout(listen, AGAIN_MS).unref();
    });
  }

  return {
    tell: messages.tell,
    isHeard: messages.isHeard,
    hear(wake) {
      messages.hear(wake);
      listen();
    },
    async close() {
      clearTimeout(retry);
      await client?.end({ timeout: CLOSE_TIMEOUT_S });
    },
  };
}
