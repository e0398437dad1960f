// Tests how long a repeated call waits for its decision. reference: Approvals
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWaitForDecisions, type WaitForDecisions } from '../../src/policy/model/wait.ts';
import { type ApprovalStand, openApprovals } from '../support/approval-stand.ts';

const ROUND_MS = 45_000;

let stand: ApprovalStand;
let wait: WaitForDecisions;
beforeEach(async () => {
  stand = await openApprovals();
  wait = createWaitForDecisions({ clock: stand.clock, store: stand.app.deps.store });
});
afterEach(() => stand.close());

/** Begins to wait, and returns whether the wait is over. */
function begin(ids: readonly string[], signal?: AbortSignal): () => boolean {
  let isDone = false;
  void wait(stand.userId, ids, ROUND_MS, signal).then(() => (isDone = true));
  return () => isDone;
}

it('waits while a question is open, and no longer than its time', async () => {
  const { id } = await stand.ask();
  const started = stand.clock.millis();
  const isDone = begin([id]);
  await expect.poll(async () => (await stand.clock.pass(1_000), isDone()), { interval: 5 }).toBe(true);
  expect(stand.clock.millis() - started).toBeGreaterThanOrEqual(ROUND_MS);
});

it.each(['approve', 'deny'] as const)('ends when the person decides: %s', async (decision) => {
  const { id } = await stand.ask();
  const isDone = begin([id]);
  await stand.clock.pass(1_000);
  await stand[decision](id);
  await expect.poll(async () => (await stand.clock.pass(1_000), isDone())).toBe(true);
});

it('waits while the approved call runs, and ends with it', async () => {
  const { id } = await stand.ask();
  await stand.approve(id);
  const entry = await stand.enter();
  if (entry.kind !== 'run') throw new Error(`the call is ${entry.kind}`);
  const isDone = begin([id]);
  await stand.clock.pass(5_000);
  expect(isDone()).toBe(false);
  await entry.finish('done');
  await expect.poll(async () => (await stand.clock.pass(1_000), isDone())).toBe(true);
});

it('ends at once when the client leaves, and does not wait for the questions of others', async () => {
  const { id } = await stand.ask();
  const gone = new AbortController();
  const isDone = begin([id], gone.signal);
  gone.abort();
  await expect.poll(isDone).toBe(true);
  const other = begin(['00000000-0000-4000-8000-000000000000']);
  await expect.poll(other).toBe(true);
});
