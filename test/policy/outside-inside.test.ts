// Tests that a read marks what follows it inside the same batch and the same script, also where both run at the same time.
// reference: Outside content; decision: 063
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { mailbox } from '../support/mailbox.ts';
import { openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';
import { openScripts, type ScriptStand } from '../support/script-stand.ts';

const AFTER: Rule[] = [
  { access: 'write', after: 'outside', decision: 'ask' },
  { access: 'destroy', after: 'outside', decision: 'ask' },
];

const READ = { tool: 'mailbox_read', args: {} };
const POST = { tool: 'ledger_post', args: { amount: 1 } };
const ASKED = {
  error: 'APPROVAL_REQUIRED',
  message: expect.stringContaining('because mailbox_read is read before it and its content'),
};
const RAN = { result: { done: 'ledger_post' } };
const LETTER = { result: { text: expect.any(String) } };

describe('a batch', () => {
  let stand: PolicyStand;
  let reads: string[];
  let letter: PromiseWithResolvers<void>;
  beforeEach(async () => {
    letter = Promise.withResolvers();
    reads = [];
    stand = await openPolicyStand({
      rules: AFTER,
      integrations: [mailbox(reads, () => letter.promise)],
    });
  });
  afterEach(() => stand.close());

  it('asks before a change behind a read that has not answered yet', async () => {
    const running = stand.batch(stand.key, [READ, POST]);
    let asked: unknown[] = [];
    while (asked.length === 0) {
      ({ approvals: asked } = (await stand.send(stand.ana.sessionHeader, 'GET', '/api/approvals')).body);
    }
    expect(asked).toMatchObject([{ tool: 'ledger_post', because: 'mailbox_read is read before it' }]);
    expect(stand.ran).toEqual([]);
    letter.resolve();
    expect(await running).toMatchObject([LETTER, ASKED]);
  });

  it.each([
    ['a change before a read', [POST, READ], [RAN, LETTER]],
    ['one on each side', [POST, READ, POST], [RAN, LETTER, ASKED]],
    [
      'more than run at once',
      [POST, POST, POST, POST, POST, READ, POST, POST],
      [RAN, RAN, RAN, RAN, RAN, LETTER, ASKED, ASKED],
    ],
    ['no read', [POST, POST], [RAN, RAN]],
    ['a read that no tool is', [{ tool: 'mailbox_reed' }, POST], [{ error: 'Tool not found' }, RAN]],
    ['a read with wrong arguments', [{ ...READ, args: { x: [] } }, POST], [{}, {}]],
  ])('with %s is decided by the order', async (_name, executions, results) => {
    letter.resolve();
    expect(await stand.batch(stand.key, executions)).toMatchObject(results);
  });

  it('is decided the same each time', async () => {
    letter.resolve();
    for (let times = 0; times < 20; times++) {
      const { headers } = await stand.mintKey();
      const executions = [
        { ...POST, args: { amount: times } },
        READ,
        { ...POST, args: { amount: -1 - times } },
      ];
      expect(await stand.batch(headers, executions)).toMatchObject([RAN, LETTER, ASKED]);
    }
  });

  it('is not held by a read that the rules block', async () => {
    await stand.putRules([...AFTER, { tool: 'mailbox_read', decision: 'block' }]);
    expect(await stand.batch(stand.key, [READ, POST])).toMatchObject([{ error: 'BLOCKED' }, RAN]);
    expect(reads).toEqual([]);
  });

  it('blocks and says why, where the rules block', async () => {
    await stand.putRules([{ access: 'write', after: 'outside', decision: 'block' }]);
    letter.resolve();
    const [, blocked] = await stand.batch(stand.key, [READ, POST]);
    expect(blocked).toMatchObject({
      error: 'BLOCKED',
      message: expect.stringMatching(
        /^mailbox_read is read before it, and the rules do not allow ledger_post/,
      ),
    });
  });

  it('over REST has the same order', async () => {
    letter.resolve();
    const executions = [{ tool: 'ledger_read' }, POST];
    const { body } = await stand.send(stand.key, 'POST', '/rest/ledger', { executions });
    expect(body.results).toMatchObject([
      { result: { done: 'ledger_read' } },
      { error: 'APPROVAL_REQUIRED', message: expect.stringContaining('ledger_read is read before it') },
    ]);
  });

  it('runs what its person has approved', async () => {
    letter.resolve();
    const [, asked] = await stand.batch(stand.key, [READ, POST]);
    await stand.approve(asked.approval.id);
    expect(await stand.batch(stand.key, [READ, POST])).toMatchObject([LETTER, RAN]);
  });
});

describe('a script', () => {
  let stand: ScriptStand;
  beforeEach(async () => {
    stand = await openScripts();
    await stand.rules(AFTER);
  });
  afterEach(() => stand.close());

  const attack = `const { text } = await tools.memo_get({ text: 'send the keys' });
    return tools.memo_add({ text });`;
  const atOnce = `const [, added] = await Promise.all([
    tools.memo_get({ text: 'a' }),
    tools.memo_add({ text: 'b' }),
  ]);
  return added;`;

  it.each([
    ['after a read', attack],
    ['at the same time as a read before it', atOnce],
  ])('is asked before a change %s', async (_name, code) => {
    const ran = await stand.script(code);
    expect(ran).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(stand.notes.written).toEqual([]);
    const row = await stand.app.deps.store.approvals.get(stand.user.id, ran.approval?.id ?? '');
    expect(row).toMatchObject({ tool: 'memo_add', because: 'memo_get is read before it' });
    await stand.decide(ran.approval?.id ?? '', 'approve');
    expect(await stand.script(code)).toMatchObject({ result: { id: 1 } });
  });

  it('is not asked before a change in front of a read', async () => {
    const code = `const [added] = await Promise.all([tools.memo_add({ text: 'b' }), tools.memo_get({ text: 'a' })]);
      return added;`;
    expect(await stand.script(code)).toMatchObject({ result: { text: 'b' } });
  });

  it('reads again what its ledger gives it, when it goes on long after', async () => {
    await stand.rules([...AFTER, { tool: 'memo_remove', decision: 'ask' }]);
    const code = `const { text } = await tools.memo_get({ text: 'x' });
      await tools.memo_remove({ text: 'y' });
      return tools.memo_add({ text });`;
    const first = await stand.script(code);
    expect(first).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    await stand.decide(first.approval?.id ?? '', 'approve');
    await stand.clock.pass(11 * 60_000);
    const second = await stand.script(code);
    expect(second).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(stand.notes.written).toEqual(['-y']);
    const row = await stand.app.deps.store.approvals.get(stand.user.id, second.approval?.id ?? '');
    expect(row).toMatchObject({ tool: 'memo_add', because: expect.stringContaining('was read') });
  });
});
