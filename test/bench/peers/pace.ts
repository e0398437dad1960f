// Answers per second: by the load tool, or, of a slow server, by a client that waits for the last one.
import { requestsPerSecond } from '../load.ts';
import { ask, type Ask, type Conversation, repeatable } from './conversation.ts';

const SECONDS = 2;
const IN_FLIGHT = 8;
/** Below this, what a load tool leaves unfinished at its end would count, and weigh on who comes next. */
export const SLOW = 200;

/** The first round warms up, looks at every answer, and says how each server is measured in the others. */
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

/** Throws when an answer is wrong. */
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
