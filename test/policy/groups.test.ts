// Tests the groups of people in rules for everyone and in team connections, from a sign-in at either provider.
// reference: Groups; decision: 070
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEAM_ACCOUNT } from '../../src/ports/team.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { connection } from '../contracts/store/records.ts';
import { type Headers, run, send, tokenHeader } from '../support/policy.ts';
import { type Name, PROVIDERS, useSignIns } from '../support/sign-ins.ts';
import type { TestApp, TestUser } from '../support/test-app.ts';

const CLAIMS = { HOSTED_GROUPS_CLAIM: 'groups', IDP_GROUPS_CLAIM: 'groups' };
const { stand, claim, open, signIn, users } = useSignIns();

let usual: TestApp;
let owner: TestUser;
let ana: TestUser;
beforeEach(async () => {
  usual = stand.app;
  await use(CLAIMS);
});
afterEach(async () => {
  await stand.app.close();
  stand.app = usual;
});

async function use(env: Record<string, string>): Promise<void> {
  if (stand.app !== usual) await stand.app.close();
  stand.app = await open(env);
  owner = await stand.app.user('the-owner@example.com');
  await stand.app.deps.store.people.setRole(owner.id, 'owner');
  ana = await stand.app.user(`${stand.person}@example.com`);
}

const setRules = (rules: unknown) =>
  send(stand.app, owner.sessionHeader, 'PUT', '/api/admin/policy', { rules });
const shout = async (headers: Headers = ana.keyHeader) => {
  const answer = await run(stand.app, headers, 'shout', { text: 'a' });
  return answer.error ?? answer.result;
};
async function signInWith(name: Name, claims: Record<string, unknown>): Promise<number> {
  claim(name, claims);
  return (await signIn(name)).status;
}
const rulesSeen = async () => (await send(stand.app, ana.sessionHeader, 'GET', '/api/policy')).body;

describe('a rule for everyone with groups', () => {
  const BLOCK = [{ tool: 'shout', groups: ['contractors', 'guests'], decision: 'block' }];

  it.each(PROVIDERS)('holds for people in one of them, from a sign-in at %s', async (name) => {
    await setRules(BLOCK);
    expect(await signInWith(name, { groups: ['x', 'guests'] })).toBe(302);
    for (const headers of [ana.keyHeader, ana.sessionHeader, tokenHeader(stand.app, ana)])
      expect(await shout(headers)).toBe('BLOCKED');
    expect(await signInWith(name, { groups: ['x'] })).toBe(302);
    expect(await shout()).toBe('A');
    expect(await signInWith(name, { groups: [] })).toBe(302);
    expect(await shout()).toBe('A');
    await signInWith(name, { groups: ['contractors'] });
    expect(await shout()).toBe('BLOCKED');
  });

  it('wins over the same rule without groups, and says so to the person', async () => {
    const rules = [
      { tool: 'shout', decision: 'block' },
      { tool: 'shout', groups: ['engineers'], decision: 'allow' },
    ];
    expect((await setRules(rules)).body).toEqual({ rules });
    await signInWith('idp', { groups: ['sales'] });
    expect(await shout()).toBe('BLOCKED');
    await signInWith('idp', { groups: ['sales', 'engineers'] });
    expect(await shout()).toBe('A');
    expect(await rulesSeen()).toEqual({ rules: [], everyone: rules, groups: ['engineers', 'sales'] });
    await signInWith('idp', { groups: ['sales'] });
    expect(await shout()).toBe('BLOCKED');
  });

  it('is not taken back by a missing list, and not by what no provider has said yet', async () => {
    await setRules([
      ...BLOCK,
      { tool: 'shout', decision: 'ask' },
      { groups: ['x'], tool: 'shout', decision: 'allow' },
    ]);
    // Nobody has told the groups: what takes something away holds, and what allows does not.
    expect(await shout()).toBe('BLOCKED');
    expect((await rulesSeen()).groups).toBeNull();
    await signInWith('idp', {});
    expect(await shout()).toBe('BLOCKED');
    await signInWith('idp', { groups: ['x'] });
    expect(await shout()).toBe('A');
    for (const silence of [{}, { groups: null }, { groups: true }, { _claim_names: { groups: 'src1' } }]) {
      await signInWith('idp', silence);
      expect(await shout()).toBe('A');
    }
    await signInWith('idp', { groups: [] });
    expect(await shout()).toBe('APPROVAL_REQUIRED');
  });

  it('counts the groups of two directories together, and those of one directory at both providers once', async () => {
    await setRules(BLOCK);
    await signInWith('hosted', { groups: ['guests'] });
    await signInWith('idp', { groups: [] });
    expect(await shout()).toBe('BLOCKED');
    await signInWith('hosted', { groups: [] });
    expect(await shout()).toBe('A');
    const { issuer } = stand.providers.idp;
    await use({ ...CLAIMS, HOSTED_ISSUER_URL: issuer });
    await setRules(BLOCK);
    await signInWith('idp', { groups: ['guests'] });
    expect(await shout()).toBe('BLOCKED');
    const { store } = stand.app.deps;
    await store.groups.note(ana.id, 'hosted', ['guests'], 'idp');
    await signInWith('idp', { groups: [] });
    expect(await store.groups.of(ana.id)).toEqual([]);
    expect(await shout()).toBe('A');
  });

  it('ends an approval that a person of another group would not have had', async () => {
    await setRules([
      { tool: 'shout', groups: ['x'], decision: 'ask' },
      { tool: 'shout', groups: ['y'], decision: 'block' },
    ]);
    await signInWith('idp', { groups: ['x'] });
    const asked = await run(stand.app, ana.keyHeader, 'shout', { text: 'a' });
    expect(asked.error).toBe('APPROVAL_REQUIRED');
    const [{ id }] = (await send(stand.app, ana.sessionHeader, 'GET', '/api/approvals')).body.approvals;
    await send(stand.app, ana.sessionHeader, 'POST', `/api/approvals/${id}`, {
      decision: 'approve',
      for: 'hour',
    });
    expect(await shout()).toBe('A');
    await signInWith('idp', { groups: ['x', 'y'] });
    expect(await shout()).toBe('BLOCKED');
  });

  it('costs no read of groups where no rule names one, and nothing is noted where nothing is configured', async () => {
    await use({});
    await signInWith('idp', { groups: ['guests'] });
    const { groups } = stand.app.deps.store;
    expect(await groups.of(ana.id)).toBeNull();
    let reads = 0;
    const { of } = groups;
    groups.of = (id) => {
      reads++;
      return of(id);
    };
    await setRules([{ tool: 'shout', decision: 'block' }]);
    expect(await shout()).toBe('BLOCKED');
    expect(reads).toBe(0);
  });

  it('limits the calls that each person of a group may begin in a minute, over all callers', async () => {
    const rules = [
      { groups: ['guests'], perMinute: 2, decision: 'allow' },
      { groups: ['staff'], perMinute: 1_000, decision: 'allow' },
    ];
    expect((await setRules(rules)).body).toEqual({ rules });
    await signInWith('idp', { groups: ['guests', 'staff'] });
    const callers = [ana.keyHeader, ana.sessionHeader, tokenHeader(stand.app, ana)];
    const outcomes = [];
    for (const headers of callers) outcomes.push(await shout(headers));
    expect(outcomes).toEqual(['A', 'A', 'TOO_MANY_CALLS']);
    expect(await shout(owner.keyHeader)).toBe('A');
    stand.app.clock.advance(60);
    expect(await shout()).toBe('A');
    for (const more of [{ tool: 'shout' }, { decision: 'block' }, { perMinute: 0 }, { redact: 'secrets' }])
      expect((await setRules([{ perMinute: 2, decision: 'allow', ...more }])).status).toBe(400);
  });

  it('may name what sign-ins have named, which administrators see beside the rules', async () => {
    const shown = async () => (await send(stand.app, owner.sessionHeader, 'GET', '/api/admin/policy')).body;
    expect(await shown()).toEqual({ rules: [] });
    await signInWith('idp', { groups: ['sales', 'engineers'] });
    await signInWith('hosted', { groups: ['guests'] });
    expect((await shown()).groups).toEqual(expect.arrayContaining(['guests', 'sales', 'engineers']));
    expect((await send(stand.app, ana.sessionHeader, 'GET', '/api/admin/policy')).status).toBe(403);
  });

  it('cannot be a rule of one person or caller', async () => {
    const rules = [{ decision: 'allow' }, { groups: ['x'], decision: 'block' }];
    const own = await send(stand.app, ana.sessionHeader, 'PUT', '/api/policy', { rules });
    expect([own.status, own.body.error]).toEqual([
      400,
      expect.stringMatching(/rules\.1.*rules for everyone/),
    ]);
    const key = await send(stand.app, ana.sessionHeader, 'POST', '/api/agent-keys', { name: 'k', rules });
    expect([key.status, key.body.error]).toEqual([
      400,
      expect.stringMatching(/rules\.1.*rules for everyone/),
    ]);
    for (const groups of [[], [''], 'x', ['x'.repeat(256)]])
      expect((await setRules([{ groups, decision: 'block' }])).status).toBe(400);
  });

  it('shows the groups of a person to administrators, and in the export of the person', async () => {
    await signInWith('idp', { groups: ['b', 'a', 'a', 'x'.repeat(300)] });
    const shown = await send(stand.app, owner.sessionHeader, 'GET', `/api/admin/people/${ana.id}`);
    expect(shown.body.groups).toEqual(['a', 'b']);
  });
});

describe('a team connection for groups', () => {
  it('can be used by their people, as long as they are in them', async () => {
    const { store } = stand.app.deps;
    await store.team.save(
      {
        ...connection({ user_id: EVERYONE }),
        account: TEAM_ACCOUNT,
        integration: 'resend',
        way: 'apikey',
      },
      { connected_by: owner.id, connected_at: 1 },
    );
    const path = '/api/admin/team-connections/resend';
    const changed = await send(stand.app, owner.sessionHeader, 'PATCH', path, { groups: ['mailers', 'ops'] });
    expect(changed.body).toMatchObject({ who: [], groups: ['mailers', 'ops'], access: 'read' });
    const usable = async () => (await store.team.usable(ana.id, 'resend')) !== null;
    expect(await usable()).toBe(false);
    await signInWith('idp', { groups: ['ops'] });
    expect(await usable()).toBe(true);
    expect((await store.team.reachable(ana.id)).team).toHaveLength(1);
    await signInWith('idp', {});
    expect(await usable()).toBe(true);
    await signInWith('idp', { groups: ['sales'] });
    expect(await usable()).toBe(false);
    await signInWith('hosted', { groups: ['mailers'] });
    expect(await usable()).toBe(true);
    await send(stand.app, owner.sessionHeader, 'PATCH', path, { groups: [] });
    expect(await usable()).toBe(false);
    expect((await send(stand.app, owner.sessionHeader, 'GET', path)).body.groups).toBeUndefined();
  });
});

describe('HOSTED_MEMBER_GROUP and HOSTED_ADMIN_GROUP', () => {
  const BOTH = { HOSTED_MEMBER_GROUP: 'staff', HOSTED_ADMIN_GROUP: 'ops', IDP_MEMBER_GROUP: 'staff' };
  const status = async () =>
    (await stand.app.request('/api/connections', { headers: ana.sessionHeader })).status;

  it.each(PROVIDERS)('end the access of somebody who has left every group, at %s', async (name) => {
    await use(BOTH);
    expect(await signInWith(name, { groups: ['staff'] })).toBe(302);
    expect(await status()).toBe(200);
    expect(await signInWith(name, { groups: [] })).toBe(403);
    expect(await status()).toBe(401);
    for (const other of PROVIDERS) expect(await signInWith(other, { groups: ['x'] })).toBe(403);
  });

  it('set the role, and refuse a list that is missing without ending anything', async () => {
    await use(BOTH);
    await signInWith('hosted', { groups: ['ops'] });
    expect(await users()).toMatchObject({ is_admin: true });
    expect(await signInWith('hosted', {})).toBe(403);
    expect(await status()).toBe(200);
    await signInWith('hosted', { groups: ['staff'] });
    expect(await users()).toMatchObject({ is_admin: false });
  });

  it('keep out at the idp, which judges no groups, whom the hosted provider has refused', async () => {
    await use({ HOSTED_MEMBER_GROUP: 'staff' });
    await signInWith('hosted', { groups: [] });
    expect(await signInWith('idp', {})).toBe(403);
    await signInWith('hosted', { groups: ['staff'] });
    expect(await signInWith('idp', {})).toBe(302);
  });
});
