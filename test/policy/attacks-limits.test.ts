// Attacks on rules and limits: nothing that narrows a caller is loosened by another list, or by a list that cannot be read.
// decision: 038
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor, Decision, Limits, Rule } from '../../src/kit/actor.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { type Headers, openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';

let stand: PolicyStand;
beforeEach(async () => {
  stand = await openPolicyStand();
});
afterEach(() => stand.close());

const ANSWERS = {
  allow: { result: { done: 'ledger_erase' } },
  ask: { error: 'APPROVAL_REQUIRED' },
  block: { error: 'BLOCKED' },
} satisfies Record<Decision, object>;
const erase = (headers: Headers) => stand.run(headers, 'ledger_erase', { id: '1' });
const all: Rule[] = [rule('allow'), rule('allow', { tool: 'ledger_erase' })];

describe('a stricter list', () => {
  it.each(['ask', 'block'] as const)('of everyone (%s) is not loosened by the person', async (decision) => {
    await stand.putEveryone([rule(decision)]);
    await stand.putRules(all);
    expect(await erase(stand.key)).toMatchObject(ANSWERS[decision]);
    expect(await erase(stand.ana.sessionHeader)).toMatchObject(ANSWERS[decision]);
    expect(stand.ran).toEqual([]);
  });

  it.each(['ask', 'block'] as const)(
    'of the person (%s) is not loosened by a key or a client',
    async (decision) => {
      await stand.putRules([rule(decision, { access: 'destroy' })]);
      const { headers } = await stand.mintKey({ rules: all, access: 'destroy', integrations: ['ledger'] });
      await stand.putGrant({ rules: all, access: 'destroy' });
      expect(await erase(headers)).toMatchObject(ANSWERS[decision]);
      expect(await erase(stand.token('mcp'))).toMatchObject(ANSWERS[decision]);
      expect(stand.ran).toEqual([]);
    },
  );

  it('names who decided, so that the agent tells the right person', async () => {
    await stand.putEveryone([rule('block')]);
    await stand.putRules([rule('block')]);
    expect((await erase(stand.key)).message).toContain('An administrator');
    await stand.putEveryone([]);
    expect((await erase(stand.key)).message).toContain('/rules');
    await stand.putRules([]);
    expect((await erase((await stand.mintKey({ access: 'read' })).headers)).message).toContain('/agents');
  });
});

describe('several limits', () => {
  const LISTS: [string, Limits[]][] = [
    ['a wide grant behind a narrow scope', [{ access: 'read' }, { access: 'destroy', rules: all }]],
    ['a narrow grant behind a wide scope', [{ access: 'destroy' }, { access: 'write' }]],
    ['integrations that do not meet', [{ integrations: ['ledger'] }, { integrations: ['echo'] }]],
    ['a rule that allows behind one that blocks', [{ rules: [rule('block')] }, { rules: all }]],
  ];

  it.each(LISTS)('never widen each other: %s', async (_name, limits) => {
    const found = stand.app.deps.registry.tool('ledger_erase');
    if (found === null) throw new Error('there is no ledger_erase');
    const { tool, integration } = found;
    for (const order of [limits, limits.toReversed()]) {
      const actor: Actor = { id: 'key:1', name: 'robot', clientId: null, limits: order };
      const permissions = await stand.app.deps.gate.permissionsOf({ userId: stand.ana.id, actor });
      expect(permissions.ofTool(integration, tool).decision).toBe('block');
      expect(permissions.isOpen).toBe(false);
    }
  });

  it('take the smallest rate', async () => {
    const actor = {
      id: 'key:1',
      name: null,
      clientId: null,
      limits: [{ perMinute: 9 }, { perMinute: 2 }, {}],
    };
    expect((await stand.app.deps.gate.permissionsOf({ userId: stand.ana.id, actor })).perMinute).toBe(2);
  });

  it.each([
    ['mcp:read', 'BLOCKED', 'BLOCKED'],
    ['mcp:write', 'BLOCKED', undefined],
    ['mcp:read openid offline_access', 'BLOCKED', 'BLOCKED'],
  ])(
    'keep a token with the scope %s below its ceiling, whatever the grant allows',
    async (scope, destroy, write) => {
      await stand.putGrant({ access: 'destroy', rules: all });
      const token = stand.token(scope);
      expect((await erase(token)).error).toBe(destroy);
      expect((await stand.run(token, 'ledger_post')).error).toBe(write);
      expect((await stand.run(token, 'ledger_read')).error).toBe(undefined);
    },
  );

  it('of a grant that is over leave nothing', async () => {
    const now = stand.app.clock.now();
    await stand.app.deps.store.policies.putGrant({
      user_id: stand.ana.id,
      client_id: 'client-1',
      limits: '{}',
      expires_at: now,
      revision: 'r',
      updated_at: now,
      last_used_at: null,
      paused_at: null,
    });
    expect(await stand.run(stand.token('mcp'), 'ledger_read')).toMatchObject({ error: 'BLOCKED' });
    expect(await stand.run(stand.token('mcp', 'client-2'), 'ledger_read')).toHaveProperty('result');
  });
});

describe('what cannot be read', () => {
  const BROKEN = [
    '',
    'null',
    '{',
    '{}',
    '[{}]',
    '[{"decision":"alow"}]',
    '[{"decision":"block","only":"x"}]',
    '["ask"]',
  ];

  async function store(owner: string, rules: string): Promise<void> {
    const record = { owner, rules, revision: 'r', updated_at: 1 };
    await stand.app.deps.store.policies.putRules(record);
  }

  it.each(BROKEN)('in the rules %j lets nothing run', async (rules) => {
    for (const owner of [stand.ana.id, EVERYONE]) {
      await store(owner, rules);
      const answer = await stand.run(stand.key, 'ledger_read');
      expect(answer).toMatchObject({ error: expect.stringContaining('cannot be read, so nothing runs') });
      const rest = await stand.send(stand.key, 'POST', '/rest/ledger', { tool: 'ledger_read' });
      expect(rest.status).toBe(502);
      await store(owner, '[]');
    }
    expect(stand.ran).toEqual([]);
    expect(await stand.run(stand.key, 'ledger_read')).toHaveProperty('result');
  });

  it.each(['', 'null', '[]', '{"acess":"read"}', '{"access":"all"}', '{"perMinute":0}'])(
    'in the limits %j of a client or a key lets it run nothing',
    async (limits) => {
      const now = stand.app.clock.now();
      const row = { user_id: stand.ana.id, limits, expires_at: null, last_used_at: null, paused_at: null };
      await stand.app.deps.store.policies.putGrant({
        ...row,
        client_id: 'client-1',
        revision: 'r',
        updated_at: now,
      });
      expect((await stand.run(stand.token('mcp'), 'ledger_read')).error).toContain('cannot be read');
      const key = `agk_${'a'.repeat(64)}`;
      const key_sha = stand.app.deps.digest.sha256(key);
      await stand.app.deps.store.agentKeys.add(
        { ...row, id: 'k1', name: 'k', key_sha, created_at: now },
        100,
      );
      const answer = await stand.send({ 'x-service-api-key': key }, 'POST', '/rest/ledger', {
        tool: 'ledger_read',
      });
      expect(answer.status).toBe(500);
      expect(stand.ran).toEqual([]);
    },
  );
});

describe('odd rules', () => {
  it.each(['constructor', '__proto__', 'tostring', 'valueof', 'hasownproperty'])(
    'that name %s match nothing else',
    async (name) => {
      await stand.putRules([rule('block', { tool: name }), rule('block', { integration: name })]);
      expect(await erase(stand.key)).toEqual(ANSWERS.allow);
      expect(await stand.run(stand.key, name)).toMatchObject({ error: 'Tool not found' });
    },
  );

  it('are all obeyed when there are 500 of them', async () => {
    const others = Array.from({ length: 499 }, (_, at) => rule('allow', { tool: `tool_${at}` }));
    await stand.putRules([...others, rule('block', { tool: 'ledger_erase' })]);
    expect(await erase(stand.key)).toMatchObject({ error: 'BLOCKED' });
    expect(await stand.run(stand.key, 'ledger_read')).toHaveProperty('result');
    const allowing = Array.from({ length: 499 }, () => rule('allow', { tool: 'ledger_erase' }));
    await stand.putRules([rule('ask', { tool: 'ledger_erase' }), ...allowing]);
    expect(await erase(stand.key)).toMatchObject({ error: 'APPROVAL_REQUIRED' });
  });
});
