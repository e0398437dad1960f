// Tests that a client of the modern era asks the person to sign in: by the address, or by a form that has it.
// MCP 2026-07-28, Elicitation; reference: Asking the person
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAskingClient, requestsIn, valueOf } from '../support/asking-client.ts';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { call } from '../support/mcp.ts';

let stand: ConnectStand;
let client: Pick<ReturnType<typeof createAskingClient>, 'send'>;
beforeEach(async () => {
  stand = await openConnectStand();
  client = createAskingClient({ app: stand.app, key: stand.ana.keyHeader });
});
afterEach(() => stand.close());

const FORM = { elicitation: {} };
const BY_URL = { elicitation: { url: {} } };
const connect = (capabilities: object, integration = 'vaulted', more: object = {}) =>
  client.send({ name: 'connect', args: { integration }, capabilities, ...more });

describe('connect, called by a client that can ask', () => {
  it('is a form with the address, and then answers what it has begun', async () => {
    const asked = await connect(FORM);
    const [[id, request] = []] = Object.entries(requestsIn(asked));
    expect(request).toEqual({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: expect.stringMatching(/^vaulted has to be connected [^]*\nhttps?:\/\/\S+$/),
        requestedSchema: expect.objectContaining({ type: 'object' }),
      },
    });
    const url = Object(request).params.message.split('\n').at(-1);
    await stand.comeBack(new URL(url));
    const answered = await connect(FORM, 'vaulted', {
      requestState: asked.body.result?.['requestState'],
      inputResponses: { [String(id)]: { action: 'accept', content: { answer: 'done' } } },
    });
    expect(valueOf(answered)).toEqual({ connectionId: id, type: 'oauth2', url });
    const waited = { connectionId: id, timeoutSec: 5 };
    expect(await call(stand.app, stand.ana.keyHeader, 'wait_for_connection', waited)).toEqual({
      status: 'CONNECTED',
    });
  });

  it.each([
    [FORM, { action: 'decline' }],
    [FORM, { action: 'accept', content: { answer: 'not now' } }],
    [BY_URL, { action: 'cancel' }],
    [BY_URL, { action: 'accept' }],
  ])('begins nothing new when the person answers: %j %j', async (capabilities, response) => {
    const asked = await connect(capabilities);
    const [id = ''] = Object.keys(requestsIn(asked));
    const answered = await connect(capabilities, 'vaulted', {
      requestState: asked.body.result?.['requestState'],
      inputResponses: { [id]: response },
    });
    expect(valueOf(answered)).toMatchObject({ connectionId: id, type: 'oauth2' });
    expect((await stand.app.deps.pending.get(id))?.status).toBe('PENDING');
  });

  it('never sends a form about a key, and asks by its address', async () => {
    const link = { error: expect.stringContaining('Only the person'), type: 'apikey' };
    expect(valueOf(await connect(FORM, 'keyed'))).toMatchObject(link);
    const [request] = Object.values(requestsIn(await connect(BY_URL, 'keyed')));
    expect(request).toMatchObject({
      params: { mode: 'url', url: expect.stringContaining('connect=apikey') },
    });
  });

  it('refuses a state of another tool, and one that was changed', async () => {
    const asked = await connect(FORM);
    const state = String(asked.body.result?.['requestState']);
    const bad = [
      { name: 'execute_tools', args: { executions: [] }, requestState: state },
      { name: 'connect', args: { integration: 'vaulted' }, requestState: `${state}x` },
    ];
    for (const each of bad)
      expect((await client.send({ capabilities: FORM, ...each })).body.error?.code).toBe(-32602);
  });

  it.each(['nothing_here', 'plain'])('asks nothing when there is nothing to connect: %s', async (name) => {
    expect((await connect(FORM, name)).body.result?.['resultType']).toBe('complete');
  });
});
