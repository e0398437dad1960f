// Packs what is told into messages: what is told while one is on its way goes with the next one.
import type { Wakes } from '../../src/ports/wakes.ts';

/** PostgreSQL takes messages of less than 8,000 bytes. */
const MOST_CHARACTERS = 7_000;

interface Line {
  /** Names this process, so that it can tell its own messages. */
  origin: string;
  send: (text: string) => Promise<unknown>;
}

export interface Messages extends Pick<Wakes, 'tell' | 'isHeard'> {
  hear(wake: (userId: string) => void): void;
  /** A message that came, perhaps an own one. */
  take: (text: string) => void;
  /** Sends a message that only its sender looks at: it shows that messages arrive. */
  greet: () => void;
}

export function createMessages({ origin, send }: Line): Messages {
  let waiting = new Set<string>();
  let isSending = false;
  let heard = false;
  let wake: (userId: string) => void = () => {};

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.size > 0) {
      const [some, rest] = portion([...waiting]);
      waiting = new Set(rest);
      // Those who wait look again anyway.
      await send(`${origin} ${some.join(' ')}`).catch(() => {});
    }
    isSending = false;
  }

  return {
    hear: (listener) => void (wake = listener),
    isHeard: () => heard,
    tell(userId) {
      waiting.add(userId);
      if (!isSending) void sendAll();
    },
    take(text) {
      const [from, ...users] = text.split(' ');
      heard = true;
      if (from !== origin) for (const userId of users) wake(userId);
    },
    greet: () => void send(origin).catch(() => {}),
  };
}

function portion(users: readonly string[]): [readonly string[], readonly string[]] {
  let characters = 0;
  const end = users.findIndex((user) => (characters += user.length + 1) > MOST_CHARACTERS);
  return end === -1 ? [users, []] : [users.slice(0, Math.max(1, end)), users.slice(Math.max(1, end))];
}
