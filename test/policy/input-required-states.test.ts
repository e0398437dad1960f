// Tests the state of an input_required result, with raw requests: it opens nothing that is not its own.
// MCP 2026-07-28, Multi Round-Trip Requests; reference: Approvals
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCEPT, createAskingClient, DONE, requestsIn, valueOf } from '../support/asking-client.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { ask, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';

let clock: ManualClock;
let stand: PolicyStand;
let client: ReturnType<typeof createAskingClient>;
beforeEach(async () => {
  clock = createManualClock();
  stand = await openPolicyStand({
    rules: [ask('ledger_post')],
    ports: { clock },
    // Their write sleeps too, and these tests count the sleepers.
    env: { CALL_DETAILS: 'off' },
  });
  client = createAskingClient(stand, clock);
});
afterEach(() => stand.close());

const INVALID = { status: 400, body: { error: { code: -32602 } } };

describe('a state', () => {
  const sign = (payload: string, secret: string, label = 'input-required:') =>
    `${payload}.${stand.app.deps.digest.hmac(secret, `${label}${payload}`)}`;

  it('that was forged, changed or cut is refused, and nothing runs', async () => {
    const { state, id } = await client.ask();
    await stand.approve(id);
    const [payload = '', signature = ''] = state.split('.');
    const text = Buffer.from(payload, 'base64url').toString();
    const changed = Buffer.from(text.replace('"round":1', '"round":0')).toString('base64url');
    expect(changed).not.toBe(payload);
    const secret = stand.app.deps.config.SESSION_SECRET;
    const changes = [`${changed}.${signature}`, `${payload}.`, payload, '', '.', `.${signature}`, signature];
    const forgeries = [sign(payload, 'secret'), sign(payload, secret, ''), state.slice(0, -1)];
    const bad = [...changes, ...forgeries, null, 5, {}, [state], true];
    for (const requestState of bad)
      expect(await client.send({ requestState, inputResponses: ACCEPT })).toMatchObject(INVALID);
    expect(stand.ran).toEqual([]);
    expect(sign(payload, secret)).toBe(state);
  });

  it('of another person is refused', async () => {
    const bea = await stand.app.user('bea@example.com');
    const { state } = await client.ask();
    expect(await client.send({ headers: bea.keyHeader, requestState: state })).toMatchObject(INVALID);
  });

  it('of another key, client or session of the same person is refused', async () => {
    const robot = (await stand.mintKey()).headers;
    const others = [robot, (await stand.mintKey()).headers, stand.token('mcp'), stand.ana.sessionHeader];
    const { state } = await client.ask();
    for (const headers of others)
      expect(await client.send({ headers, requestState: state })).toMatchObject(INVALID);
    const { state: robots } = await client.ask({ headers: robot });
    expect(await client.send({ requestState: robots })).toMatchObject(INVALID);
    expect(stand.ran).toEqual([]);
  });

  it('that is sent again after the call has run asks again, and runs nothing', async () => {
    const { state, id } = await client.ask();
    await stand.approve(id);
    const retry = { requestState: state, inputResponses: ACCEPT };
    expect(valueOf(await client.send(retry))).toEqual(DONE);
    expect(Object.keys(requestsIn(await client.send(retry)))).not.toEqual([id]);
    expect(stand.ran).toHaveLength(1);
  });

  it('without responses is a retry', async () => {
    const { state, id } = await client.ask();
    await stand.approve(id);
    expect(valueOf(await client.send({ requestState: state }))).toEqual(DONE);
  });

  it.each([{ inputResponses: ACCEPT }, { inputResponses: {} }, { inputResponses: null }])(
    'that is missing beside %j is refused',
    async (more) => {
      expect(await client.send(more)).toMatchObject(INVALID);
      expect(stand.ran).toEqual([]);
    },
  );

  it.each(['approve', 5, { any: 'accept' }, { any: { action: 'approve' } }, { any: {} }, [1]])(
    'with the responses %j is refused',
    async (inputResponses) => {
      const { state, id } = await client.ask();
      await stand.approve(id);
      expect(await client.send({ requestState: state, inputResponses })).toMatchObject(INVALID);
      expect(stand.ran).toEqual([]);
    },
  );

  it('does not touch the other meta-tools', async () => {
    const { state, id } = await client.ask();
    const decline = { [id]: { action: 'decline' } };
    const plain = valueOf(await client.send({ name: 'list_integrations', args: {} }));
    for (const more of [
      { requestState: state, inputResponses: decline },
      { requestState: 'forged' },
      { inputResponses: ACCEPT },
    ])
      expect(valueOf(await client.send({ name: 'list_integrations', args: {}, ...more }))).toEqual(plain);
    expect(clock.asleep()).toBe(0);
  });
});
