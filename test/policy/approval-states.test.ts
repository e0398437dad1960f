// Tests how long a question and its answer hold, with a clock that the tests move. reference: Approvals
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APPROVAL_ARGUMENT_CHARACTERS, APPROVALS_PER_CALLER } from '../../src/policy/model/limits.ts';
import { type Actor, agentKeyActorId, PERSONAL_KEY, SESSION } from '../../src/kit/actor.ts';
import { type AskedCall, placeOfApproval } from '../../src/policy/model/approvals.ts';
import { openApprovals, type ApprovalStand } from '../support/approval-stand.ts';

let stand: ApprovalStand;
beforeEach(async () => {
  stand = await openApprovals();
});
afterEach(() => stand.close());

const QUESTION_SECONDS = 3_600;

/** Enters the call from two processes, ten times each. */
const enterOften = (changes: Partial<AskedCall> = {}) =>
  Promise.all(Array.from({ length: 20 }, (_, at) => stand.enter(changes, at % 2)));

const kindsOf = (entries: { kind: string }[]) => [...new Set(entries.map(({ kind }) => kind))];

describe('a question', () => {
  it('is one question for any number of parallel calls, and shows exactly these arguments', async () => {
    const entries = await enterOften();
    expect(kindsOf(entries)).toEqual(['asked']);
    const rows = await stand.rows();
    expect(rows).toHaveLength(1);
    const [row] = rows;
    if (row === undefined) throw new Error('nothing was asked');
    for (const entry of entries) expect(entry).toMatchObject({ approval: { id: row.id } });
    const shown = await stand.app.deps.seal.open(row.sealed ?? '', placeOfApproval(row));
    expect(JSON.parse(shown ?? 'null')).toEqual({
      text: 'a',
    });
    expect(row).toMatchObject({ state: 'pending', expires_at: row.created_at + QUESTION_SECONDS });
  });

  it('expires once, with one audit row, and the same call asks anew', async () => {
    const first = await stand.ask();
    await stand.clock.pass((QUESTION_SECONDS - 1) * 1_000);
    expect((await stand.ask()).id).toBe(first.id);
    await stand.clock.pass(1_000);
    const { settleApprovals } = stand.app.deps;
    const [entries] = await Promise.all([
      enterOften(),
      settleApprovals.portion(),
      settleApprovals.ofPerson(stand.userId),
      settleApprovals.one(first),
    ]);
    expect(kindsOf(entries)).toEqual(['asked']);
    expect(await stand.row(first.id)).toMatchObject({
      state: 'expired',
      slot: first.id,
      sealed: null,
      ended_at: stand.clock.now(),
    });
    expect((await stand.rows()).map(({ state }) => state).toSorted()).toEqual(['expired', 'pending']);
    expect(await stand.audited()).toMatchObject([
      { outcome: 'expired', actor: 'key', tool: 'shout', action: 'EXECUTE', success: false, duration_ms: 0 },
    ]);
  });

  it('is asked for each caller, and the yes for one is none for the other', async () => {
    const callers: Actor[] = [
      PERSONAL_KEY,
      SESSION,
      { ...PERSONAL_KEY, id: agentKeyActorId('1'), name: 'an agent' },
      { ...PERSONAL_KEY, id: 'client:1', clientId: '1' },
    ];
    const asked = [];
    for (const actor of callers) asked.push(await stand.ask({ actor }));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(callers.length);
    await stand.approve(asked[0]?.id);
    expect(
      (await Promise.all(callers.map((actor) => stand.enter({ actor })))).map(({ kind }) => kind),
    ).toEqual(['run', 'asked', 'asked', 'asked']);
  });

  it.each<[string, Partial<AskedCall>]>([
    ['the tool', { tool: 'whisper' }],
    ['the definition', { definition: 'another' }],
    ['the account', { account: 'another' }],
    ['an argument', { args: { text: 'b' } }],
    ['the type of an argument', { args: { text: ['a'] } }],
    ['the rules', { revision: 'r2' }],
    ['the person', { userId: 'another' }],
  ])('is another one when %s changes', async (_, changes) => {
    const { id } = await stand.ask();
    await stand.approve(id);
    const other = await stand.enter(changes);
    expect(other).toMatchObject({ kind: 'asked' });
    expect(other).not.toMatchObject({ approval: { id } });
    expect(await stand.enter()).toMatchObject({ kind: 'run' });
  });

  it('is the same for arguments in another order', async () => {
    const first = await stand.ask({ args: { one: 1, two: { three: 3, four: undefined } } });
    expect((await stand.ask({ args: { two: { three: 3 }, one: 1 } })).id).toBe(first.id);
  });

  it('is not asked when nobody could read the arguments', async () => {
    const longest = { text: 'x'.repeat(APPROVAL_ARGUMENT_CHARACTERS - '{"text":""}'.length) };
    expect(await stand.enter({ args: longest })).toMatchObject({ kind: 'asked' });
    expect(await stand.enter({ args: { text: `${longest.text}x` } })).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('too long'),
    });
    expect(await stand.rows()).toHaveLength(1);
  });

  it('is refused when too many of the caller wait, until one is decided or over', async () => {
    const asked = [];
    for (let n = 0; n < APPROVALS_PER_CALLER; n++) asked.push(await stand.ask({ args: { n } }));
    const another = { args: { text: 'one more' } };
    expect(kindsOf(await enterOften(another))).toEqual(['refused']);
    expect(await stand.enter(another)).toMatchObject({ message: expect.stringContaining('Try again') });
    // The question of another caller and a repeat are not refused.
    expect(await stand.enter({ ...another, actor: SESSION })).toMatchObject({ kind: 'asked' });
    expect(await stand.enter({ args: { n: 7 } })).toMatchObject({ kind: 'asked' });
    await stand.deny(asked[0]?.id);
    expect(await stand.enter(another)).toMatchObject({ kind: 'asked' });
    expect(await stand.enter({ args: { text: 'and one' } })).toMatchObject({ kind: 'refused' });
    await stand.clock.pass(QUESTION_SECONDS * 1_000);
    expect(await stand.enter({ args: { text: 'and one' } })).toMatchObject({ kind: 'asked' });
  });
});

describe('the questions of all callers of a person', () => {
  const keyOf = (n: number): Actor => ({
    ...PERSONAL_KEY,
    id: agentKeyActorId(String(n)),
    name: `agent ${n}`,
  });

  it('are refused when they are too large together, until one is decided', async () => {
    const text = 'x'.repeat(APPROVAL_ARGUMENT_CHARACTERS - 100);
    const kinds = [];
    for (let n = 0; n < 225; n++) {
      const { kind } = await stand.enter({ actor: keyOf(n % 9), args: { n, text } });
      kinds.push(kind);
    }
    const rows = await stand.rows();
    const stored = rows.reduce((bytes, { sealed }) => bytes + (sealed ?? '').length, 0);
    expect(stored).toBeLessThanOrEqual(64 * 1024 ** 2);
    expect(stored).toBeGreaterThan(63 * 1024 ** 2);
    expect(kinds).toEqual([...Array(rows.length).fill('asked'), ...Array(225 - rows.length).fill('refused')]);
    const another = { actor: keyOf(10), args: { text } };
    expect(await stand.enter(another)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('Try again when some are decided'),
    });
    await stand.deny(rows[0]?.id);
    expect(await stand.enter(another)).toMatchObject({ kind: 'asked' });
  });

  it('are refused when there are 500, until their time is over', async () => {
    for (let n = 0; n < 500; n++) await stand.ask({ actor: keyOf(n % 6), args: { n } });
    const another = { actor: keyOf(7), args: { text: 'one more' } };
    expect(kindsOf(await enterOften(another))).toEqual(['refused']);
    // A repeat asks nothing new.
    expect(await stand.enter({ actor: keyOf(1), args: { n: 1 } })).toMatchObject({ kind: 'asked' });
    await stand.clock.pass(QUESTION_SECONDS * 1_000);
    expect(await stand.enter(another)).toMatchObject({ kind: 'asked' });
  });
});

describe('a yes', () => {
  it('lets one of 20 parallel calls on two processes run, and the others say that it runs', async () => {
    await stand.approve((await stand.ask()).id);
    const entries = await enterOften();
    const runs = entries.flatMap((entry) => (entry.kind === 'run' ? [entry] : []));
    expect(runs).toHaveLength(1);
    for (const entry of entries.filter(({ kind }) => kind !== 'run'))
      expect(entry).toMatchObject({ kind: 'asked', message: expect.stringContaining('not run twice') });
    await runs[0]?.finish('done');
    const [row] = await stand.rows();
    expect(row).toMatchObject({ state: 'done', slot: row?.id, running_until: null });
    // The person can still read what has run.
    expect(row?.sealed).not.toBeNull();
    expect(await stand.enter()).toMatchObject({
      kind: 'asked',
      message: expect.stringContaining('has already run once'),
    });
    // A repeat of the question says it too.
    expect(await stand.enter()).toMatchObject({ message: expect.stringContaining('has already run once') });
    expect(await stand.audited()).toEqual([]);
  });

  it('is used up by a call that fails', async () => {
    await stand.approve((await stand.ask()).id);
    await stand.run('failed');
    expect((await stand.rows()).map(({ state }) => state)).toEqual(['failed']);
    expect(await stand.enter()).toMatchObject({ kind: 'asked', message: expect.stringContaining('failed') });
  });

  it('ends with its time, with one audit row', async () => {
    const { id } = await stand.ask();
    await stand.approve(id, 'once', 60);
    await stand.clock.pass(60_000);
    const entries = await enterOften();
    expect(kindsOf(entries)).toEqual(['asked']);
    expect(await stand.row(id)).toMatchObject({ state: 'expired', run: null, sealed: null });
    expect(await stand.audited()).toMatchObject([{ outcome: 'expired', approval: id, actor: 'key' }]);
  });

  it('for an hour lets the same call run any number of times until its end', async () => {
    const { id } = await stand.ask();
    await stand.approve(id, 'hour', 3_600);
    expect(kindsOf(await enterOften())).toEqual(['run']);
    for (let n = 0; n < 3; n++) {
      await stand.run(n === 1 ? 'done' : 'failed');
      await stand.clock.pass(1_000_000);
    }
    expect(await stand.enter({ args: { text: 'b' } })).toMatchObject({ kind: 'asked' });
    expect(await stand.row(id)).toMatchObject({ state: 'approved', covers: 'hour' });
    await stand.clock.pass(600_000);
    expect(await stand.enter()).toMatchObject({ kind: 'asked' });
    expect(await stand.row(id)).toMatchObject({ state: 'expired' });
  });
});

describe('a no', () => {
  it('holds for the same call until its end, tells its reason, and stays a no', async () => {
    const { id } = await stand.ask();
    await stand.deny(id, 'Not before Monday', 60);
    for (const entry of await enterOften())
      expect(entry).toMatchObject({ kind: 'denied', message: expect.stringContaining('Not before Monday') });
    await stand.clock.pass(60_000);
    await stand.app.deps.settleApprovals.portion();
    expect(await stand.row(id)).toMatchObject({
      state: 'denied',
      reason: 'Not before Monday',
      slot: id,
      sealed: null,
      ended_at: stand.clock.now(),
    });
    // The next sweep has nothing to do.
    expect(await stand.app.deps.store.approvals.due(stand.clock.now(), 10)).toEqual([]);
    expect((await stand.ask()).id).not.toBe(id);
    expect(await stand.audited()).toEqual([]);
  });

  it('ends when the same call comes back before the sweep', async () => {
    const { id } = await stand.ask();
    await stand.deny(id, null, 60);
    await stand.clock.pass(60_000);
    expect(kindsOf(await enterOften())).toEqual(['asked']);
    expect(await stand.rows()).toHaveLength(2);
    expect((await stand.row(id)).state).toBe('denied');
  });
});
