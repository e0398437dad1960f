// Tests the limits that keep one person from taking the place of all others. reference: Limits per person; decision: 019
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let bea: TestUser;
/** Ends every call of `slow_wait`, also the later ones. */
let letGo: () => void;
/** The calls of `slow_wait` that have begun. */
let begun: number;

async function open(env: Record<string, string>): Promise<void> {
  const gate = Promise.withResolvers<void>();
  letGo = () => gate.resolve();
  begun = 0;
  const wait = async () => {
    begun++;
    await gate.promise;
    return 'done';
  };
  const slow = defineIntegration({
    name: 'slow',
    version: '1.0.0',
    displayName: 'Slow',
    description: 'Waits until the test lets go',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: [
      tool('slow_wait', 'Waits', () => ({}), wait),
      tool(
        'slow_no',
        'Answers at once',
        () => ({}),
        () => 'no',
      ),
    ],
  });
  app = await createTestApp({ env, ports: { integrations: [slow] } });
  ana = await app.user('ana@example.com');
  bea = await app.user('bea@example.com');
}

const rest = (user: TestUser, body: object) =>
  app.request('/rest/slow', {
    method: 'POST',
    headers: { ...user.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const execute = (user: TestUser, ...tools: string[]) =>
  call(app, user.keyHeader, 'execute_tools', { executions: tools.map((name) => ({ tool: name })) });

async function untilBegun(count: number): Promise<void> {
  for (let turn = 0; begun < count; turn++) {
    if (turn > 10_000) throw new Error(`${begun} of ${count} calls have begun`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('calls under way', () => {
  beforeEach(() => open({ PERSON_MAX_CALLS: '3' }));
  afterEach(async () => {
    letGo();
    await app.close();
  });

  it('beyond the limit are refused in REST and in a batch, and other people are served', async () => {
    const running = [rest(ana, { tool: 'slow_wait' }), execute(ana, 'slow_wait', 'slow_wait')];
    await untilBegun(3);
    const refused = await rest(ana, { tool: 'slow_no' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    const message = expect.stringContaining('3 of your calls are running already');
    expect(await refused.json()).toEqual({
      error: 'TOO_MANY_CALLS',
      integration: 'slow',
      tool: 'slow_no',
      message,
    });
    const item = { error: 'TOO_MANY_CALLS', integration: 'slow', message };
    expect(await execute(ana, 'slow_no', 'slow_wait')).toEqual({ results: [item, item] });
    const batch = await rest(ana, { executions: [{ tool: 'slow_no' }] });
    expect([batch.status, await batch.json()]).toEqual([200, { integration: 'slow', results: [item] }]);
    expect(await execute(bea, 'slow_no')).toEqual({ results: [{ result: 'no' }] });
    letGo();
    await Promise.all(running);
    expect(await execute(ana, 'slow_no', 'slow_wait')).toEqual({
      results: [{ result: 'no' }, { result: 'done' }],
    });
  });

  it('that are refused leave no audit row', async () => {
    const running = execute(ana, 'slow_wait', 'slow_wait', 'slow_wait');
    await untilBegun(3);
    await execute(ana, 'slow_no');
    letGo();
    await running;
    const rows = await app.deps.store.audit.list({ user_id: ana.id, limit: 50 });
    expect(rows.map((row) => row.tool)).toEqual(['slow_wait', 'slow_wait', 'slow_wait']);
  });

  it('that fail or find no tool give their place back', async () => {
    for (let n = 0; n < 10; n++) {
      expect((await rest(ana, { tool: 'slow_no', args: { x: n } })).status).toBe(400);
      expect((await rest(ana, { tool: 'slow_none' })).status).toBe(404);
    }
    expect((await rest(ana, { tool: 'slow_no' })).status).toBe(200);
  });
});

describe('calls a minute', () => {
  afterEach(() => app.close());

  it('are not limited unless the operator says so', async () => {
    await open({});
    const executions = Array.from({ length: 200 }, () => 'slow_no');
    const { results } = await execute(ana, ...executions);
    expect(results).toEqual(executions.map(() => ({ result: 'no' })));
  });

  it('are counted for each person, and start again with the next minute', async () => {
    await open({ PERSON_CALLS_PER_MINUTE: '2' });
    app.clock.advance(60 - (app.clock.now() % 60) + 20);
    const ask = async (user: TestUser) => {
      const response = await rest(user, { tool: 'slow_no' });
      return [response.status, response.headers.get('retry-after')];
    };
    expect([await ask(ana), await ask(ana), await ask(ana)]).toEqual([
      [200, null],
      [200, null],
      [429, '40'],
    ]);
    expect(await ask(bea)).toEqual([200, null]);
    app.clock.advance(39);
    expect(await ask(ana)).toEqual([429, '1']);
    app.clock.advance(1);
    expect(await ask(ana)).toEqual([200, null]);
  });
});
