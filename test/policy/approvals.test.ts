// Tests that a call runs only after the yes that was given to exactly this call. reference: Approvals
import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
afterEach(() => app.close());

async function open(rules: object[]): Promise<TestUser> {
  app = await createTestApp();
  const ana = await app.user();
  const record = { owner: ana.id, rules: JSON.stringify(rules), revision: 'r1', updated_at: app.clock.now() };
  await app.deps.store.policies.putRules(record);
  return ana;
}

const run = (ana: TestUser, args: object) =>
  call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: 'shout', args }] });

async function approve(ana: TestUser, id: string): Promise<void> {
  const row = await app.deps.store.approvals.get(ana.id, id);
  if (row === null) throw new Error('there is no such approval');
  await app.deps.store.approvals.move(row, {
    state: 'approved',
    covers: 'once',
    expires_at: app.clock.now() + 60,
  });
}

describe('a call that a rule asks about', () => {
  it('runs once after a yes, and asks again after that', async () => {
    const ana = await open([{ tool: 'shout', decision: 'ask' }]);
    const first = (await run(ana, { text: 'a' })).results[0];
    expect(first).toMatchObject({ error: 'APPROVAL_REQUIRED', integration: 'echo' });
    expect(first.approval.url).toContain(`/approvals/${first.approval.id}`);
    expect((await run(ana, { text: 'a' })).results[0].approval).toEqual(first.approval);
    await approve(ana, first.approval.id);
    expect((await run(ana, { text: 'b' })).results[0].error).toBe('APPROVAL_REQUIRED');
    expect((await run(ana, { text: 'a' })).results[0]).toEqual({ result: 'A' });
    const again = (await run(ana, { text: 'a' })).results[0];
    expect(again.error).toBe('APPROVAL_REQUIRED');
    expect(again.approval.id).not.toBe(first.approval.id);
    expect(again.message).toContain('has already run once');
  });

  it('is blocked by a rule that blocks it', async () => {
    const ana = await open([{ integration: 'echo', decision: 'block' }]);
    expect((await run(ana, { text: 'a' })).results[0]).toMatchObject({
      error: 'BLOCKED',
      integration: 'echo',
    });
  });
});
