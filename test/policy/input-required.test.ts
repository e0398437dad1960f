// Tests calls that end as input_required, with raw requests: the client never decides, and nothing runs twice.
// MCP 2026-07-28, Multi Round-Trip Requests; reference: Approvals
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ACCEPT,
  createAskingClient,
  DONE,
  headersOf,
  paramsOf,
  POST,
  requestsIn,
  ROUND_MS,
  valueOf,
  waitForSleep,
} from '../support/asking-client.ts';
import type { ToolContext } from '../../src/kit/integration.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { ask, openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';
import { waitUntil } from '../support/wait.ts';

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

const READ = { tool: 'ledger_read', args: {} };

describe('a question', () => {
  it('carries the address of each approval, and runs nothing', async () => {
    const { id, requests } = await client.ask();
    expect((await stand.row(id)).state).toBe('pending');
    expect(requests).toEqual({
      [id]: {
        method: 'elicitation/create',
        params: {
          mode: 'url',
          url: expect.stringContaining(`/approvals/${id}`),
          message: expect.any(String),
          elicitationId: id,
        },
      },
    });
    expect(stand.ran).toEqual([]);
  });

  it.each([{ elicitation: {} }, { elicitation: { form: {} } }])(
    'is a form with the address in its text, for a client with the capabilities %j',
    async (capabilities) => {
      const { id, requests } = await client.ask({ capabilities });
      expect(requests).toEqual({
        [id]: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: expect.stringMatching(
              new RegExp(`ledger [^]*approves nothing.\\nhttp\\S+/approvals/${id}$`),
            ),
            requestedSchema: {
              type: 'object',
              properties: {
                answer: expect.objectContaining({ type: 'string', enum: ['done', 'not now'] }),
              },
            },
          },
        },
      });
      expect(stand.ran).toEqual([]);
    },
  );

  it('is asked by the address of a client that can do both', async () => {
    const { id, requests } = await client.ask({ capabilities: { elicitation: { form: {}, url: {} } } });
    expect(requests[id]).toMatchObject({ params: { mode: 'url' } });
  });

  it.each([{}, { elicitation: { url: true } }, { elicitation: { form: true } }, { sampling: {} }])(
    'goes as text to a client with the capabilities %j',
    async (capabilities) => {
      const answer = await client.send({ capabilities });
      expect(answer.body.result?.['resultType']).toBe('complete');
      expect(valueOf(answer).results[0]).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    },
  );

  it.each([
    ['a call that ran', [...POST, READ]],
    ['a call that is not known', [...POST, { tool: 'nothing_here', args: {} }]],
  ])('is never asked about a batch with %s', async (_name, executions) => {
    const answer = await client.send({ args: { executions } });
    expect(answer.body.result?.['resultType']).toBe('complete');
    expect(valueOf(answer).results[0]).toMatchObject({ error: 'APPROVAL_REQUIRED' });
  });

  it.each(['BLOCKED', 'DENIED', 'APPROVAL_REQUIRED'])(
    'is never asked when a tool ran and failed with the text %s, because the client would run it again',
    async (text) => {
      const failing = stand.app.deps.registry.tool('ledger_read');
      if (failing === null) throw new Error('there is no ledger_read');
      Object.assign(failing.tool, {
        run: () => {
          stand.ran.push({ tool: 'ledger_read', args: {} });
          throw new Error(text);
        },
      });
      const answer = await client.send({ args: { executions: [...POST, READ] } });
      expect(answer.body.result?.['resultType']).toBe('complete');
      expect(valueOf(answer).results[1].error).toBe(`The tool failed: ${text}`);
      expect(stand.ran).toHaveLength(1);
    },
  );
});

describe('accept', () => {
  it('alone never approves: the call is asked about again until the rounds end', async () => {
    const { state: first, id } = await client.ask();
    let state = first;
    for (let round = 2; round <= 8; round++) {
      const inputResponses = { [id]: { action: 'accept', content: { decision: 'approve' } } };
      const answer = await client.sendAndWait({ requestState: state, inputResponses });
      expect(Object.keys(requestsIn(answer))).toEqual([id]);
      state = String(answer.body.result?.['requestState']);
    }
    const last = await client.sendAndWait({ requestState: state, inputResponses: ACCEPT });
    expect(last.body.result?.['resultType']).toBe('complete');
    expect(valueOf(last).results[0]).toMatchObject({ error: 'APPROVAL_REQUIRED', approval: { id } });
    expect((await stand.row(id)).state).toBe('pending');
    expect(stand.ran).toEqual([]);
  });

  it('runs the call once when the person has approved it in the portal', async () => {
    const { state, id } = await client.ask();
    await stand.approve(id);
    expect(valueOf(await client.send({ requestState: state, inputResponses: ACCEPT }))).toEqual(DONE);
    expect(stand.ran).toHaveLength(1);
  });

  it('counts the memory that the call takes after the wait', async () => {
    const found = stand.app.deps.registry.tool('ledger_post');
    if (found === null) throw new Error('there is no ledger_post');
    const { memory, memoryBudget } = stand.app.deps;
    const waited: boolean[] = [];
    const run = (_: unknown, { lease }: ToolContext) => {
      lease?.charge(memory + 1);
      const other = memoryBudget.open('somebody else');
      other.charge(memory / 2);
      waited.push(other.waitForSpace() !== undefined);
      other.close();
      return 'posted';
    };
    Object.assign(found.tool, { run });
    const { state, id } = await client.ask();
    await stand.approve(id);
    await client.send({ requestState: state, inputResponses: ACCEPT });
    expect(waited).toEqual([true]);
    const later = memoryBudget.open('somebody else');
    later.charge(memory / 2);
    expect(later.waitForSpace()).toBe(undefined);
  });

  it('runs other calls than the one asked about only by their own yes', async () => {
    const { state, id } = await client.ask();
    await stand.approve(id);
    const executions = [{ tool: 'ledger_post', args: { amount: 500 } }];
    const { body } = await client.send({ args: { executions }, requestState: state, inputResponses: ACCEPT });
    expect(body.result).toMatchObject({ resultType: 'input_required' });
    expect(stand.ran).toEqual([]);
  });
});

describe('a form', () => {
  const capabilities = { elicitation: {} };
  const filled = (content?: object) => ({ any: { action: 'accept', ...(content && { content }) } });

  it.each([{ answer: 'done', approved: true }, { answer: 'yes' }, {}, undefined])(
    'filled in with %j approves nothing',
    async (content) => {
      const { state, id } = await client.ask({ capabilities });
      const again = await client.sendAndWait({
        capabilities,
        requestState: state,
        inputResponses: filled(content),
      });
      expect(Object.keys(requestsIn(again))).toEqual([id]);
      expect((await stand.row(id)).state).toBe('pending');
      expect(stand.ran).toEqual([]);
    },
  );

  it('runs the call once when the person has approved it in the portal and says so', async () => {
    const { state, id } = await client.ask({ capabilities });
    await stand.approve(id);
    const retry = { capabilities, requestState: state, inputResponses: filled({ answer: 'done' }) };
    expect(valueOf(await client.send(retry))).toEqual(DONE);
    expect(stand.ran).toHaveLength(1);
  });

  it('answered with "not now" ends with the link, even when the person has approved meanwhile', async () => {
    const { state, id } = await client.ask({ capabilities });
    await stand.approve(id);
    const retry = { capabilities, requestState: state, inputResponses: filled({ answer: 'not now' }) };
    expect(valueOf(await client.send(retry)).results[0]).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      approval: { url: expect.stringContaining(id) },
    });
    expect(stand.ran).toEqual([]);
  });
});

describe('decline', () => {
  it.each(['decline', 'cancel'])(
    '(%s) runs nothing, even when the person has approved meanwhile',
    async (action) => {
      const { state, id } = await client.ask();
      await stand.approve(id);
      const answer = await client.send({ requestState: state, inputResponses: { [id]: { action } } });
      expect(valueOf(answer).results).toEqual([expect.objectContaining({ error: 'APPROVAL_REQUIRED' })]);
      expect(stand.ran).toEqual([]);
      expect((await stand.row(id)).state).toBe('approved');
    },
  );

  it('answers each call of the batch at its own place', async () => {
    await stand.putRules([ask('ledger_post'), rule('block', { tool: 'ledger_erase' })]);
    const executions = [{ tool: 'ledger_erase', args: { id: '1' } }, ...POST];
    const { state, id } = await client.ask({ args: { executions } });
    const inputResponses = { [id]: { action: 'decline' } };
    const answer = await client.send({ args: { executions }, requestState: state, inputResponses });
    expect(valueOf(answer).results).toEqual([
      expect.objectContaining({ error: 'BLOCKED' }),
      expect.objectContaining({ error: 'APPROVAL_REQUIRED' }),
    ]);
  });
});

describe('a client that goes while it waits', () => {
  it('runs nothing, even when the person says yes after that', async () => {
    const { state, id } = await client.ask();
    const params = paramsOf({ requestState: state, inputResponses: ACCEPT });
    const response = await stand.app.request('/mcp', {
      method: 'POST',
      headers: { ...stand.key, ...headersOf({}) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
    });
    await waitForSleep(clock);
    await response.body?.cancel();
    await waitUntil(
      'the end of the wait',
      () => clock.asleep() === 0,
      () => clock.asleep(),
    );
    await stand.approve(id);
    await clock.pass(ROUND_MS);
    expect((await stand.row(id)).state).toBe('approved');
    expect(stand.ran).toEqual([]);
  });
});
