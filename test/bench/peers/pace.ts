// Measures responses per second: with the load tool, or, for a slow server, with a client that waits for the
// last response.
import { requestsPerSecond } from '../load.ts';
import { ask, type Ask, type Conversation, repeatable } from './conversation.ts';

const SECONDS = 2;
const IN_FLIGHT = 8;
/**
 * Below this rate, the requests that a load tool leaves unfinished would distort the result and slow the next
 * peer.
 */
export const SLOW = 200;

/**
 * Opens a measurement whose first round warms up, checks every response, and decides how to measure each
 * server later.
 */
export function openPace(): (conversation: Conversation, question: Ask) => Promise<number> {
  const quick = new Map<Conversation, boolean>();
  return async function answersPerSecond(conversation, question) {
    const known = quick.get(conversation);
    if (known === true) return requestsPerSecond({ ...conversation, body: repeatable(question) }, SECONDS);
    const rate = await lookedAt(conversation, question);
    if (known === undefined) quick.set(conversation, rate >= SLOW);
    return rate;
  };
}

/** Checks every response and throws when one is wrong. */
async function lookedAt(conversation: Conversation, question: Ask): Promise<number> {
  const begun = performance.now();
  let answers = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() - begun < SECONDS * 1_000) {
        const answer = await ask(conversation, question);
        if (!answer.ok) throw new Error(answer.why);
        answers++;
      }
    }),
  );
  return (answers * 1_000) / (performance.now() - begun);
}
