// Waits in tests. A wait that takes too long fails before the test's own time limit, and says what it last saw.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { TestRunner } from 'vitest';

/** vitest.config.ts gives hooks a minute. */
const HOOK_MS = 60_000;
/** The time between the end of a wait and the time limit of the test. */
const MARGIN_MS = 2_000;

function maxWaitMs(): number {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) return HOOK_MS - MARGIN_MS;
  const spent = Date.now() - (test.result?.startTime ?? Date.now());
  return Math.max(test.timeout - spent, 0) - MARGIN_MS;
}

const describeWait = (what: string, lastSeen: () => unknown): Error => {
  const seen = lastSeen();
  return new Error(`${what} did not come; last seen: ${typeof seen === 'string' ? seen : inspect(seen)}`);
};

/** Looks once per turn of the event loop until the condition holds. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  lastSeen: () => unknown,
): Promise<void> {
  const latest = performance.now() + maxWaitMs();
  while (!(await holds())) {
    if (performance.now() > latest) throw describeWait(what, lastSeen);
    await setImmediate();
  }
}

/** Waits for a promise. */
export async function waitFor<T>(what: string, promise: Promise<T>, lastSeen: () => unknown): Promise<T> {
  const cancel = new AbortController();
  const late = sleep(Math.max(maxWaitMs(), 0), undefined, { signal: cancel.signal }).then(() => {
    throw describeWait(what, lastSeen);
  });
  late.catch(() => {});
  return Promise.race([promise, late]).finally(() => cancel.abort());
}
