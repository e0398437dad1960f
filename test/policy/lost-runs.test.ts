// Tests what becomes of an approved call whose process dies, hangs or loses its store. reference: Approvals; decision: 038
import { afterEach, describe, expect, it } from 'vitest';
import { APPROVAL_RUN_BEAT_MS, APPROVAL_RUN_SECONDS } from '../../src/policy/model/limits.ts';
import type { Entry } from '../../src/policy/model/approvals.ts';
import type { Runs } from '../../src/policy/model/runs.ts';
import { type ApprovalStand, openApprovals } from '../support/approval-stand.ts';
import { waitUntil } from '../support/wait.ts';

type Run = Extract<Entry, { kind: 'run' }>;

/** A process that has died keeps nothing alive. */
const DEAD: Runs = { begin: () => () => {} };

let stand: ApprovalStand;
afterEach(() => stand.close());

/** Begins an approved call on the first process. */
async function begin(text = 'a'): Promise<Run & { id: string }> {
  const args = { text };
  const { id } = await stand.ask({ args });
  await stand.approve(id);
  const entry = await stand.enter({ args });
  if (entry.kind !== 'run') throw new Error(`it does not run: ${JSON.stringify(entry)}`);
  return { ...entry, id };
}

const stateOf = async (id: string) => (await stand.row(id)).state;

/** Lets the time pass, with the writes of each beat. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds * 1_000; left > 0; left -= APPROVAL_RUN_BEAT_MS) {
    await stand.clock.pass(Math.min(left, APPROVAL_RUN_BEAT_MS));
    // The store writes in order.
    await stand.app.deps.store.leases.release('nothing', 'nobody');
  }
}

describe('an approved call that nobody keeps alive', () => {
  it('is given up as unknown with one audit row, and a repeat asks anew and says so', async () => {
    stand = await openApprovals(DEAD);
    const run = await begin();
    await pass(APPROVAL_RUN_SECONDS - 1);
    expect(await stand.enter({}, 1)).toMatchObject({
      kind: 'asked',
      approval: { id: run.id },
      message: expect.stringContaining('is running already'),
    });
    await pass(1);
    const { settleApprovals } = stand.app.deps;
    const lost = await stand.row(run.id);
    const [entries] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => stand.enter({}, 1))),
      settleApprovals.portion(),
      settleApprovals.ofPerson(stand.userId),
      settleApprovals.one(lost),
    ]);
    const { sealed } = lost;
    expect(await stand.row(run.id)).toMatchObject({
      state: 'unknown',
      slot: run.id,
      sealed,
      ended_at: stand.clock.now(),
    });
    expect(sealed).not.toBeNull();
    const rows = await stand.rows();
    expect(rows.map(({ state }) => state).toSorted()).toEqual(['pending', 'unknown']);
    const question = rows.find(({ state }) => state === 'pending');
    for (const entry of entries)
      expect(entry).toMatchObject({
        kind: 'asked',
        approval: { id: question?.id },
        message: expect.stringContaining('It is not known whether the same call took effect before'),
      });
    expect(await stand.audited()).toMatchObject([
      { outcome: 'unknown', success: false, tool: 'shout', actor: 'key', action: 'EXECUTE' },
    ]);
  });

  it.each(['done', 'failed'] as const)('is %s when its end becomes known after all', async (state) => {
    stand = await openApprovals(DEAD);
    const run = await begin();
    await pass(APPROVAL_RUN_SECONDS);
    const question = await stand.ask();
    await run.finish(state);
    const { sealed } = await stand.row(run.id);
    expect(await stand.row(run.id)).toMatchObject({ state, slot: run.id, ended_at: stand.clock.now() });
    expect(sealed).not.toBeNull();
    // The question of the repeat stays, and says how the call has ended.
    expect(await stateOf(question.id)).toBe('pending');
    expect(await stand.enter()).toMatchObject({
      message: expect.stringContaining(state === 'done' ? 'has already run once' : 'failed'),
    });
  });

  it('does not end a later run of the same call when its end becomes known', async () => {
    stand = await openApprovals(DEAD);
    const first = await begin();
    await pass(APPROVAL_RUN_SECONDS);
    const second = await begin();
    await first.finish('done');
    expect(await stateOf(first.id)).toBe('done');
    expect(await stateOf(second.id)).toBe('running');
  });
});

describe('an approved call that runs', () => {
  it('is kept alive for as long as it runs, and nothing is left of it then', async () => {
    stand = await openApprovals();
    const before = stand.clock.asleep();
    const run = await begin();
    await pass(20 * APPROVAL_RUN_SECONDS);
    await stand.app.deps.settleApprovals.portion();
    expect(await stateOf(run.id)).toBe('running');
    await run.finish('done');
    expect(await stateOf(run.id)).toBe('done');
    await waitUntil('the end of the beats', () => stand.clock.asleep() === before, stand.clock.asleep);
  });

  it('has beats of its own, which do not end with those of an earlier call', async () => {
    stand = await openApprovals();
    const first = await begin('first');
    const second = await begin('second');
    await first.finish('done');
    await pass(3 * APPROVAL_RUN_SECONDS);
    await stand.app.deps.settleApprovals.portion();
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['done', 'running']);
    await second.finish('done');
  });

  it('survives a store that fails for a moment, which is logged', async () => {
    stand = await openApprovals();
    const { approvals } = stand.app.deps.store;
    const { keepRunning } = approvals;
    const run = await begin();
    approvals.keepRunning = () => Promise.reject(new Error('the database is away'));
    await pass(APPROVAL_RUN_SECONDS - 15);
    approvals.keepRunning = keepRunning;
    await pass(2 * APPROVAL_RUN_SECONDS);
    await stand.app.deps.settleApprovals.portion();
    expect(await stateOf(run.id)).toBe('running');
    const errors = stand.app.lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ event }) => event)).toContain('an approved call was not kept alive');
    await run.finish('done');
  });

  it('goes on when the rules change, and the next call is judged by the new ones', async () => {
    stand = await openApprovals();
    const run = await begin();
    const { policies } = stand.app.deps.store;
    const rules = { owner: stand.userId, rules: '[]', revision: 'r2', updated_at: stand.clock.now() };
    await policies.putRules(rules);
    expect(await stateOf(run.id)).toBe('running');
    await run.finish('done');
    expect(await stateOf(run.id)).toBe('done');
    expect(await stand.enter({ revision: 'r2' })).toMatchObject({ kind: 'asked' });
  });
});
