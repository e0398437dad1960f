// Attacks on what was approved: other arguments, or the same arguments in another disguise. decision: 038
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';

let stand: PolicyStand;
beforeEach(async () => {
  stand = await openPolicyStand({ rules: [ask('ledger_post')] });
});
afterEach(() => stand.close());

const post = (args: unknown, more = {}) => stand.run(stand.key, 'ledger_post', args, more);
const askAbout = (args: unknown) => stand.ask(stand.key, 'ledger_post', args);

/** Sends text that `JSON.stringify` would not write. */
async function postText(args: string) {
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_tools","arguments":{"executions":[{"tool":"ledger_post","args":${args}}]}}}`;
  const response = await stand.app.request('/mcp', { method: 'POST', headers: stand.key, body });
  const { result } = JSON.parse(await response.text());
  return JSON.parse(result.content[0].text).results[0];
}

describe('after a yes', () => {
  it('does not run the tool with changed arguments, and still runs the approved call', async () => {
    const id = await askAbout({ amount: 5, to: 'bea' });
    await stand.approve(id);
    for (const args of [{ amount: 5, to: 'eve' }, { amount: 50, to: 'bea' }, { amount: 5 }]) {
      const answer = await post(args);
      expect(answer).toMatchObject({ error: 'APPROVAL_REQUIRED', integration: 'ledger' });
      expect(answer.approval.id).not.toBe(id);
    }
    expect(stand.ran).toEqual([]);
    expect(await post({ amount: 5, to: 'bea' })).toEqual({ result: { done: 'ledger_post' } });
    expect(stand.ran).toEqual([{ tool: 'ledger_post', args: { amount: 5, to: 'bea' } }]);
  });

  it('runs exactly the arguments that the person was shown', async () => {
    const id = await askAbout({ amount: 5, more: { b: [1, { d: 2, c: 3 }], a: 'x' } });
    const { body } = await stand.send(stand.ana.sessionHeader, 'GET', `/api/approvals/${id}`);
    await stand.approve(id);
    await post({ more: { a: 'x', b: [1, { c: 3, d: 2 }] }, amount: 5 });
    expect(stand.ran).toEqual([{ tool: 'ledger_post', args: body.args }]);
  });
});

describe('the same call', () => {
  it.each<[string, unknown, unknown]>([
    ['in another order', { amount: 1, to: 'bea' }, { to: 'bea', amount: 1 }],
    [
      'in another order at depth',
      { more: { a: { x: 1, y: 2 }, b: 1 } },
      { more: { b: 1, a: { y: 2, x: 1 } } },
    ],
    ['with its defaults written out', { amount: 1 }, { amount: 1, to: 'main' }],
    ['as a text of JSON', { amount: 1, to: 'bea' }, '{"to":"bea","amount":1}'],
    ['with a member that is undefined', { amount: 1 }, { amount: 1, lines: undefined }],
  ])('is asked about once when it comes %s', async (_name, one, other) => {
    const id = await askAbout(one);
    expect(await askAbout(other)).toBe(id);
    await stand.approve(id);
    expect(await post(other)).toEqual({ result: { done: 'ledger_post' } });
    expect(await post(one)).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(stand.ran).toHaveLength(1);
  });

  it('is asked about once when its numbers and texts are written in another way', async () => {
    const first = await postText('{"amount": 100, "to": "bé"}');
    const second = await postText('{"\\u0061mount": 1.0e2, "to": "b\\u00e9"}');
    expect(second.approval.id).toBe(first.approval.id);
  });

  it('is the same whatever part of the result is selected', async () => {
    const id = await askAbout({ amount: 1 });
    expect((await post({ amount: 1 }, { select: 'done' })).approval.id).toBe(id);
    await stand.approve(id);
    expect(await post({ amount: 1 }, { select: 'done' })).toEqual({ result: 'ledger_post' });
    expect(stand.ran).toEqual([{ tool: 'ledger_post', args: { amount: 1, to: 'main' } }]);
  });

  it('keeps its yes when the expression of select is wrong', async () => {
    const id = await askAbout({ amount: 1 });
    await stand.approve(id);
    expect(await post({ amount: 1 }, { select: '[[[' })).toMatchObject({
      error: expect.stringContaining('Invalid arguments'),
    });
    expect((await stand.row(id)).state).toBe('approved');
    expect(stand.ran).toEqual([]);
  });
});

describe('a call that only looks the same', () => {
  it.each<[string, unknown, unknown]>([
    ['a number instead of its text', { amount: 1 }, { amount: '1' }],
    ['null instead of nothing', { amount: null }, {}],
    ['true instead of 1', { amount: true }, { amount: 1 }],
    ['an empty list instead of nothing', { amount: 1, lines: [] }, { amount: 1 }],
    ['an empty object instead of an empty list', { amount: {} }, { amount: [] }],
    ['another order of a list', { lines: [1, 2] }, { lines: [2, 1] }],
    ['a list of one instead of its item', { amount: [1] }, { amount: 1 }],
    ['a letter of other code points', { to: 'caf\u00e9' }, { to: 'cafe\u0301' }],
    ['a letter of another script', { to: 'acme' }, { to: '\u0430cme' }],
    ['white space at the end', { to: 'bea' }, { to: 'bea ' }],
    ['an invisible character', { to: 'bea' }, { to: 'be\u200ba' }],
    ['another number beyond the safe integers', { amount: 9007199254740992 }, { amount: 9007199254740994 }],
    ['a key that moves into a text', { more: { a: '1","b":"2' } }, { more: { a: '1', b: '2' } }],
    ['a key named constructor', { more: { constructor: 1 } }, { more: {} }],
    ['a key named toString', { more: { toString: 1 } }, { more: { toString: 2 } }],
  ])('has %s, and is asked about by itself', async (_name, one, other) => {
    const id = await askAbout(one);
    await stand.approve(id);
    const answer = await post(other);
    expect(answer.error).toBe('APPROVAL_REQUIRED');
    expect(answer.approval.id).not.toBe(id);
    expect(stand.ran).toEqual([]);
  });

  it('cannot hide a change under the key __proto__', async () => {
    const first = await postText('{"more": {"deep": {"__proto__": {"to": "bea"}}}}');
    const second = await postText('{"more": {"deep": {"__proto__": {"to": "eve"}}}}');
    expect(first.error).toBe('APPROVAL_REQUIRED');
    expect(second.approval.id).not.toBe(first.approval.id);
    const { body } = await stand.send(stand.ana.sessionHeader, 'GET', `/api/approvals/${first.approval.id}`);
    expect(JSON.stringify(body.args)).toContain('"__proto__":{"to":"bea"}');
    await stand.approve(first.approval.id);
    await postText('{"more": {"deep": {"__proto__": {"to": "bea"}}}}');
    expect(JSON.stringify(stand.ran[0]?.args)).toContain('"__proto__":{"to":"bea"}');
    expect(Object.keys({}.constructor.prototype)).toEqual([]);
  });

  it('gets no arguments from the prototype of an argument', async () => {
    const asked = await postText('{"__proto__": {"to": "eve"}, "amount": 1}');
    if (asked.error === 'APPROVAL_REQUIRED') expect(asked.approval.id).toBe(await askAbout({ amount: 1 }));
    else expect(asked.error).toBe('Invalid arguments');
    expect(stand.ran).toEqual([]);
  });
});

describe('arguments that cannot be shown', () => {
  it('are blocked when they are too long to be read, and nothing runs', async () => {
    const answer = await post({ more: { text: 'x'.repeat(256 * 1024) } });
    expect(answer).toMatchObject({ error: 'BLOCKED', message: expect.stringContaining('file:<handle>') });
    expect(stand.ran).toEqual([]);
    expect(await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 10 })).toEqual([]);
  });

  it.each([
    ['half a character in a text', '{"to": "\\ud800"}'],
    ['half a character in a key', '{"more": {"\\udc00": 1}}'],
    ['a number that is too large', '{"amount": 1e999}'],
  ])('are refused for %s, and nothing runs', async (_name, args) => {
    const answer = await postText(args);
    expect(answer.error).toMatch(/^Invalid arguments/);
    expect(answer.message).toMatch(/could not be shown it|expected number/);
    expect(stand.ran).toEqual([]);
    expect(await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 10 })).toEqual([]);
  });
});
