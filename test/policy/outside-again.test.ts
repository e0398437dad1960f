// Tests that content which was kept marks its caller again when it is read, and which tools of imported servers do. decision: 063
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { type ChangingServer, startChangingServer, tool } from '../support/changing-server.ts';
import { type CallStage, openCallStage } from '../support/call-doors.ts';
import { smallWorld } from '../support/fixtures.ts';
import { call, callText } from '../support/mcp.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';
import { putRules } from '../support/raw-policy.ts';

const RULES: Rule[] = [{ integration: 'ledger', access: 'write', after: 'outside', decision: 'ask' }];
const LATER = 11 * 60_000;

let clock: ManualClock;
let stand: PolicyStand;
let server: ChangingServer;
beforeAll(async () => {
  server = await startChangingServer([], { name: 'boards' });
});
afterAll(() => server.close());
beforeEach(async () => {
  clock = createManualClock();
  stand = await openPolicyStand({ rules: RULES, integrations: smallWorld, ports: { clock } });
});
afterEach(async () => {
  await stand.app.deps.mcp.close();
  await stand.close();
});

const post = () => stand.run(stand.key, 'ledger_post', { amount: 1 });
const RAN = { result: { done: 'ledger_post' } };
const asked = (name: string) => ({
  error: 'APPROVAL_REQUIRED',
  message: expect.stringContaining(`because ${name} was read 0 s ago`),
});

async function cut(): Promise<string> {
  const executions = [{ tool: 'echo_text', args: { length: 70_000 } }];
  const text = await callText(stand.app, stand.key, 'execute_tools', { executions });
  const handle = /read_result \{"handle":"([^"]+)"\}/.exec(text)?.[1];
  if (handle === undefined) throw new Error('the result was not cut');
  return handle;
}

describe('the rest of a long result', () => {
  it('marks its reader again when the first mark has gone', async () => {
    const handle = await cut();
    expect(await post()).toMatchObject(asked('echo_text'));
    await clock.pass(LATER);
    expect(await post()).toEqual(RAN);
    await call(stand.app, stand.key, 'read_result', { handle, path: '/results/0/result', limit: 3 });
    expect(await post()).toMatchObject(asked('echo_text'));
  });
});

describe('an imported MCP server', () => {
  it.each([
    ['that says nothing', {}, asked('boards_look')],
    ['that says that its tool writes', { readOnlyHint: false }, asked('boards_look')],
    ['that says that its tool is closed', { openWorldHint: false }, RAN],
  ])('%s', async (_name, annotations, ending) => {
    server.tools = [tool('look', { annotations })];
    const { status } = await stand.send(stand.ana.sessionHeader, 'POST', '/api/imports', {
      name: 'boards',
      address: server.address,
    });
    expect(status).toBe(201);
    expect(await stand.run(stand.key, 'boards_look')).toHaveProperty('result');
    expect(await post()).toMatchObject(ending);
  });

  it('marks again by the answer of a call that is repeated with its key', async () => {
    server.tools = [tool('look')];
    await stand.send(stand.ana.sessionHeader, 'POST', '/api/imports', {
      name: 'boards',
      address: server.address,
    });
    const look = () => stand.run(stand.key, 'boards_look', {}, { key: 'look-once' });
    await look();
    await clock.pass(LATER);
    expect(await post()).toEqual(RAN);
    expect(await look()).toMatchObject({ replayed: true });
    expect(await post()).toMatchObject(asked('boards_look'));
  });
});

describe('the rest of the answer of a raw request', () => {
  let stage: CallStage;
  beforeEach(async () => {
    stage = await openCallStage();
  });
  afterEach(() => stage.close());

  it('marks its reader, although its method is not kept', async () => {
    stage.answer((_, outgoing) => {
      const text = JSON.stringify({ text: 'x'.repeat(70_000) });
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    const executions = [{ tool: 'vaulted_request', args: { method: 'GET', path: '/mail' } }];
    const { app, ana } = stage;
    const text = await callText(app, ana.keyHeader, 'execute_tools', { executions });
    const handle = /read_result \{"handle":"([^"]+)"\}/.exec(text)?.[1] ?? '';
    await putRules(stage, [{ access: 'write', after: 'outside', decision: 'ask' }]);
    await call(app, ana.keyHeader, 'read_result', { handle, path: '/results/0/result', limit: 3 });
    const sent = await call(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_request', args: { method: 'POST', path: '/send', body: {} } }],
    });
    expect(sent.results[0]).toMatchObject(asked('vaulted_request'));
  });
});
