// Tests how the groups of the idp decide role and membership. reference: Groups; decision: 017
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { findUngroupedProvider } from '../../src/login/admission.ts';
import { authorizeQuery, connected, refresh, registered, type TokenAnswer } from '../support/oauth-client.ts';
import type { ScriptedProvider } from '../support/scripted-provider.ts';
import { useSignIns } from '../support/sign-ins.ts';
import type { TestApp, TestUser } from '../support/test-app.ts';

const { stand, bySubject, claim, open, signIn, users } = useSignIns();

let usual: TestApp | undefined;

/** Opens a gateway that has an owner already, so that the person of a test is none. */
async function useGateway(env: Record<string, string>): Promise<void> {
  usual = stand.app;
  stand.app = await open(env);
  await stand.app.user('the-owner@example.com');
}
afterEach(async () => {
  if (usual === undefined) return;
  await stand.app.close();
  [stand.app, usual] = [usual, undefined];
});

const ADMINS = { IDP_ADMIN_GROUP: 'gateway-admins, ops' };
const MEMBERS = { IDP_MEMBER_GROUP: 'gateway,staff' };

async function roleAfter(claims: Record<string, unknown>): Promise<string> {
  claim('idp', claims);
  expect((await signIn('idp')).status).toBe(302);
  const user = await users();
  return user?.is_owner ? 'owner' : user?.is_admin ? 'administrator' : 'member';
}

async function refused(response: Response): Promise<string> {
  expect(response.headers.get('location')).toBeNull();
  expect(response.status).toBe(403);
  return (await response.json()).error;
}

describe('IDP_ADMIN_GROUP', () => {
  it.each<[string, Record<string, unknown>]>([
    ['groups as a list', { groups: ['x', 'gateway-admins'] }],
    ['roles as a list', { roles: ['ops'] }],
    ['a single group as a text', { groups: 'ops' }],
    ['the roles beside other groups', { groups: ['x'], roles: ['ops'] }],
    ['a list with values of other types', { groups: [1, null, { a: 1 }, 'ops'] }],
  ])('makes an administrator of a person with %s', async (_, claims) => {
    await useGateway(ADMINS);
    expect(await roleAfter(claims)).toBe('administrator');
  });

  it.each<[string, Record<string, unknown>]>([
    ['no claim', {}],
    ['an empty list', { groups: [] }],
    ['no claim but an empty list of roles', { roles: [] }],
    ['other groups', { groups: ['gateway-admins2', 'op', 'OPS', ' ops', 'gateway-admins, ops'] }],
    ['an object', { groups: { ops: true } }],
    ['true', { groups: true }],
    ['the group in another claim', { group: ['ops'], 'groups.x': ['ops'], realm_access: { roles: ['ops'] } }],
    ['a text that contains the name', { groups: 'ops x' }],
  ])('makes a member of a person with %s', async (_, claims) => {
    await useGateway(ADMINS);
    expect(await roleAfter(claims)).toBe('member');
  });

  it('sets the role anew at each sign-in, and says so in the log', async () => {
    await useGateway(ADMINS);
    expect(await roleAfter({ groups: ['ops'] })).toBe('administrator');
    expect(await roleAfter({ groups: ['ops'] })).toBe('administrator');
    expect(await roleAfter({ groups: [] })).toBe('member');
    const user = (await users())?.id;
    expect(stand.app.lines.filter(({ event }) => event === 'role set by group')).toEqual([
      { level: 'info', event: 'role set by group', user, role: 'administrator' },
      { level: 'info', event: 'role set by group', user, role: 'member' },
    ]);
  });

  it('leaves an owner an owner', async () => {
    await useGateway(ADMINS);
    claim('idp', {});
    await signIn('idp');
    const { id = '' } = (await users()) ?? {};
    await stand.app.deps.store.people.setRole(id, 'owner');
    expect(await roleAfter({})).toBe('owner');
    expect(await roleAfter({ groups: ['ops'] })).toBe('owner');
  });

  it('leaves the first person of an empty gateway the owner', async () => {
    usual = stand.app;
    stand.app = await open(ADMINS);
    expect(await roleAfter({ groups: ['ops'] })).toBe('owner');
  });

  it('does not count at the hosted provider', async () => {
    await useGateway({ ...ADMINS, ...MEMBERS });
    claim('hosted', { groups: ['ops'] });
    expect((await signIn('hosted')).status).toBe(302);
    expect(await users()).toMatchObject({ is_admin: false });
  });
});

describe('IDP_GROUPS_CLAIM', () => {
  it.each<[string, Record<string, unknown>]>([
    ['realm_access.roles', { realm_access: { roles: ['ops'] } }],
    ['https://corp.example/groups', { 'https://corp.example/groups': ['ops'] }],
    ['a.b.c', { a: { b: { c: 'ops' } } }],
  ])('reads %s', async (IDP_GROUPS_CLAIM, claims) => {
    await useGateway({ ...ADMINS, IDP_GROUPS_CLAIM });
    expect(await roleAfter(claims)).toBe('administrator');
    // The usual claims do not count, so nothing is said about the groups.
    claim('idp', { groups: ['ops'], roles: ['ops'] });
    expect(await refused(await signIn('idp'))).toMatch(/did not say which groups/);
  });

  it.each(['constructor.name', '__proto__.x', 'realm_access.roles.0', 'realm_access.roles.length'])(
    'finds no groups at %s',
    async (IDP_GROUPS_CLAIM) => {
      await useGateway({ IDP_ADMIN_GROUP: 'Object,2', IDP_GROUPS_CLAIM });
      expect(await roleAfter({ realm_access: { roles: ['x', 'y'] } })).toBe('member');
    },
  );
});

describe('IDP_MEMBER_GROUP', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a member group', { groups: ['staff'] }],
    ['an administrator group only', { roles: 'ops' }],
  ])('lets in a person of %s', async (_, claims) => {
    await useGateway({ ...ADMINS, ...MEMBERS });
    claim('idp', claims);
    expect((await signIn('idp')).status).toBe(302);
  });

  it('leaves roles alone without IDP_ADMIN_GROUP', async () => {
    await useGateway(MEMBERS);
    await roleAfter({ groups: ['staff'] });
    await stand.app.deps.store.people.setRole((await users())?.id ?? '', 'administrator');
    expect(await roleAfter({ groups: ['staff'] })).toBe('administrator');
  });

  it.each<[string, Record<string, unknown>]>([
    ['no groups', { groups: [] }],
    ['other groups', { groups: ['staff2'], roles: ['Gateway'] }],
  ])('refuses a stranger with %s, and stores nothing', async (_, claims) => {
    await useGateway({ ...ADMINS, ...MEMBERS });
    claim('idp', claims);
    expect(await refused(await signIn('idp'))).toMatch(/not list you in a group.*ask the operator/);
    expect(await users()).toBeNull();
  });

  it('ends the sessions, tokens and keys of a person who has left the groups', async () => {
    await useGateway(MEMBERS);
    const ana = await stand.app.user(`${stand.person}@example.com`);
    claim('idp', { groups: ['staff'] });
    expect((await signIn('idp')).status).toBe(302);
    const client = await registered(stand.app);
    const tokens = await connected(stand.app, ana, client);
    const status = async (headers: Record<string, string>) =>
      (await stand.app.request('/api/connections', { headers })).status;
    expect([await status(ana.sessionHeader), await status(ana.keyHeader)]).toEqual([200, 200]);
    claim('idp', { groups: [] });
    expect(await refused(await signIn('idp'))).toMatch(/group/);
    expect([await status(ana.sessionHeader), await status(ana.keyHeader)]).toEqual([401, 401]);
    expect((await refresh(stand.app, client, tokens.refresh_token)).status).toBe(400);
    const called = await stand.app.request('/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(called.status).toBe(401);
    // The person comes back with the group.
    stand.app.clock.advance(1);
    claim('idp', { groups: ['staff'] });
    expect((await signIn('idp')).status).toBe(302);
    expect((await users())?.id).toBe(ana.id);
  });

  it('signs a person out whom the idp knows by a verified address only', async () => {
    await useGateway(MEMBERS);
    const ana = await stand.app.user(`${stand.person}@example.com`);
    claim('idp', { groups: [] });
    await refused(await signIn('idp'));
    const response = await stand.app.request('/api/connections', { headers: ana.sessionHeader });
    expect(response.status).toBe(401);
    expect(await bySubject('idp')).toBeNull();
  });

  it('signs nobody out by an address that nobody has verified, or that belongs to another subject', async () => {
    await useGateway({ ...MEMBERS, IDP_EMAIL_TRUSTED: 'false' });
    const ana = await stand.app.user(`${stand.person}@example.com`);
    const status = async () =>
      (await stand.app.request('/api/connections', { headers: ana.sessionHeader })).status;
    claim('idp', { email_verified: undefined, groups: [] });
    await refused(await signIn('idp'));
    expect(await status()).toBe(200);
    claim('idp', { groups: ['staff'] });
    expect((await signIn('idp')).status).toBe(302);
    claim('idp', { sub: 'somebody else', groups: [] });
    await refused(await signIn('idp'));
    expect(await status()).toBe(200);
  });
});

/** What an ID token can look like that does not say which groups a person is in. */
const SILENCE: [string, Record<string, unknown>][] = [
  ['no claim', {}],
  ['null', { groups: null, roles: null }],
  ['an object', { groups: { staff: true } }],
  ['true', { groups: true }],
  [
    'too many groups',
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
  ],
  ['too many groups beside another role', { _claim_names: { groups: 'src1' }, roles: ['x'] }],
];

describe('an ID token that does not say which groups a person is in', () => {
  const OWN = { groups: ['staff', 'ops'] };
  let ana: TestUser;
  let client: string;
  let tokens: TokenAnswer['body'];

  /** Makes an administrator with a session, a key and a client. */
  async function begin(): Promise<void> {
    await useGateway({ ...ADMINS, ...MEMBERS });
    ana = await stand.app.user(`${stand.person}@example.com`);
    expect(await roleAfter(OWN)).toBe('administrator');
    client = await registered(stand.app);
    tokens = await connected(stand.app, ana, client);
  }

  async function expectNothingChanged(): Promise<void> {
    for (const headers of [ana.sessionHeader, ana.keyHeader])
      expect((await stand.app.request('/api/connections', { headers })).status).toBe(200);
    const called = await stand.app.request('/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(called.status).toBe(200);
    expect((await refresh(stand.app, client, tokens.refresh_token)).status).toBe(200);
    expect(await users()).toMatchObject({ id: ana.id, is_admin: true, outside_since: null });
  }

  it.each(SILENCE)('is refused and changes nothing: %s', async (_, claims) => {
    await begin();
    claim('idp', claims);
    const sentence = await refused(await signIn('idp'));
    expect(sentence).toMatch(/did not say which groups.*Nothing of your account has changed.*operator/);
    expect(stand.app.lines.filter(({ event }) => event === 'groups missing')).toEqual([
      {
        level: 'warn',
        event: 'groups missing',
        provider: 'idp',
        proof: 'sign-in',
        claims: ['groups', 'roles'],
        hint: expect.stringMatching(/userinfo.*IDP_GROUPS_CLAIM/),
      },
    ]);
    expect(JSON.stringify(stand.app.lines)).not.toMatch(/"x"|Bearer|example\.com/);
    await expectNothingChanged();
  });

  it('is completed by userinfo, which gets the access token of the sign-in', async () => {
    await begin();
    expect(stand.providers.idp.presented).toEqual([]);
    stand.providers.idp.script.info = OWN;
    expect(await roleAfter({})).toBe('administrator');
    expect(stand.providers.idp.presented).toEqual(['Bearer x']);
    await expectNothingChanged();
  });

  it('is completed by an empty list of userinfo, which ends everything', async () => {
    await begin();
    stand.providers.idp.script.info = { groups: [] };
    claim('idp', {});
    expect(await refused(await signIn('idp'))).toMatch(/not list you in a group/);
    const { status } = await stand.app.request('/api/connections', { headers: ana.sessionHeader });
    expect([status, await users()]).toMatchObject([
      401,
      { is_admin: false, outside_since: expect.any(Number) },
    ]);
  });

  it('is not completed by a list of userinfo that is not the one left out', async () => {
    await begin();
    stand.providers.idp.script.info = { roles: ['x'] };
    claim('idp', { _claim_names: { groups: 'src1' } });
    expect(await refused(await signIn('idp'))).toMatch(/did not say which groups/);
    await expectNothingChanged();
  });

  it.each<[string, Partial<ScriptedProvider['script']>, RegExp | null]>([
    ['about another person', { info: { ...OWN, sub: 'eve' } }, /another sub/],
    ['without a sub', { userinfo: { body: JSON.stringify(OWN) } }, /no sub/],
    ['that refuses the token', { userinfo: { status: 401, body: '{}' } }, /status 401/],
    ['that is no JSON', { userinfo: { body: 'eyJ.x.y' } }, /not valid JSON/],
    [
      'that leads elsewhere',
      { userinfo: { status: 302, body: '', location: 'http://127.0.0.1:1/' } },
      /127\.0\.0\.1/,
    ],
  ])('is not completed by a userinfo %s', async (_, script, why) => {
    await begin();
    Object.assign(stand.providers.idp.script, script);
    claim('idp', {});
    expect(await refused(await signIn('idp'))).toMatch(/did not say which groups/);
    const lines = stand.app.lines.filter(({ event }) => event === 'userinfo not used');
    expect(lines).toMatchObject([{ level: 'warn', provider: 'idp', why: expect.stringMatching(why ?? /./) }]);
    await expectNothingChanged();
  });

  it('is refused for now while userinfo is down', async () => {
    await begin();
    stand.providers.idp.script.userinfo = { status: 503, body: '{}' };
    claim('idp', {});
    const response = await signIn('idp');
    expect([response.status, (await response.json()).error]).toEqual([
      400,
      expect.stringMatching(/cannot be reached right now/),
    ]);
    await expectNothingChanged();
  });

  it.each([
    ['none', undefined, []],
    ['one that is no address', 'userinfo', []],
    [
      'one that the network guard forbids',
      'http://169.254.169.254/userinfo',
      [expect.stringMatching(/not allowed/)],
    ],
  ])(
    'is refused where the provider publishes a userinfo endpoint like %s',
    async (_, userinfo_endpoint, why) => {
      await begin();
      const { issuer } = stand.providers.idp;
      stand.app.clock.advance(3_600);
      const endpoints = {
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint,
      };
      stand.providers.idp.script.discovery = { body: JSON.stringify({ issuer, ...endpoints }) };
      claim('idp', {});
      expect(await refused(await signIn('idp'))).toMatch(/did not say which groups/);
      expect(
        stand.app.lines.flatMap((line) => (line.event === 'userinfo not used' ? [line['why']] : [])),
      ).toEqual(why);
      expect(await users()).toMatchObject({ is_admin: true, outside_since: null });
    },
  );

  it('lets in a person whose listed role decides alone', async () => {
    await begin();
    expect(await roleAfter({ _claim_names: { groups: 'src1' }, roles: ['ops'] })).toBe('administrator');
    expect(stand.providers.idp.presented).toEqual([]);
  });

  it('keeps an administrator out with IDP_ADMIN_GROUP alone, and lets in members and owners as before', async () => {
    await useGateway(ADMINS);
    expect(await roleAfter({})).toBe('member');
    expect(await roleAfter({ groups: ['ops'] })).toBe('administrator');
    claim('idp', {});
    expect(await refused(await signIn('idp'))).toMatch(/did not say which groups/);
    expect(await users()).toMatchObject({ is_admin: true });
    await stand.app.deps.store.people.setRole((await users())?.id ?? '', 'owner');
    expect(await roleAfter({})).toBe('owner');
  });

  it('counts for nothing at the hosted provider, in the portal and for an MCP client', async () => {
    await begin();
    claim('hosted', {});
    expect((await signIn('hosted')).status).toBe(302);
    const authorized = await stand.app.request(authorizeQuery(client));
    const query = new URL(authorized.headers.get('location') ?? '').searchParams;
    stand.nonce = query.get('nonce') ?? '';
    const back = await stand.app.request(
      `/api/auth/hosted/callback?${new URLSearchParams({ code: 'code', state: query.get('state') ?? '' })}`,
      {
        headers: {
          cookie: authorized.headers
            .getSetCookie()
            .map((line) => line.split(';')[0])
            .join('; '),
        },
      },
    );
    expect(back.headers.get('location')).toMatch(/^https:\/\/client\.example\/app\/callback\?code=/);
    expect(stand.providers.hosted.presented).toEqual([]);
    await expectNothingChanged();
  });
});

describe('IDP_MEMBER_GROUP beside the hosted provider', () => {
  const people = async () =>
    (await stand.app.request('/api/admin/people', { headers: await sessionHeader() })).status;
  const sessionHeader = async () => {
    const location = (await signIn('hosted')).headers.get('location') ?? '';
    const [, token = ''] = /#token=([^&]+)/.exec(location) ?? [];
    return { authorization: `Bearer ${token}` };
  };

  it('keeps out whom the groups have refused, and takes the role', async () => {
    await useGateway({ ...ADMINS, ...MEMBERS });
    expect(await roleAfter({ groups: ['ops'] })).toBe('administrator');
    expect(await people()).toBe(200);
    claim('idp', { groups: ['other'] });
    await refused(await signIn('idp'));
    expect(await refused(await signIn('hosted'))).toMatch(/not list you in a group/);
    expect(await people()).toBe(401);
    expect(await users()).toMatchObject({ is_admin: false, outside_since: expect.any(Number) });
  });

  it('keeps out whom the idp has refused before the first sign-in there, by the verified address', async () => {
    await useGateway(MEMBERS);
    expect((await signIn('hosted')).status).toBe(302);
    claim('idp', { groups: [] });
    await refused(await signIn('idp'));
    await refused(await signIn('hosted'));
  });

  it('lets a person in again whose groups have let them in again', async () => {
    await useGateway(MEMBERS);
    await roleAfter({ groups: ['staff'] });
    claim('idp', { groups: [] });
    await refused(await signIn('idp'));
    await refused(await signIn('hosted'));
    stand.app.clock.advance(1);
    await roleAfter({ groups: ['staff'] });
    expect((await signIn('hosted')).status).toBe(302);
    expect(await users()).toMatchObject({ outside_since: null });
  });

  it('keeps an owner an owner, and lets the owner of the address in when a stranger had only written it', async () => {
    await useGateway({ ...MEMBERS, IDP_EMAIL_TRUSTED: 'false' });
    claim('idp', { groups: ['staff'], email_verified: undefined, sub: 'a stranger' });
    expect((await signIn('idp')).status).toBe(302);
    claim('idp', { groups: [], email_verified: undefined, sub: 'a stranger' });
    await refused(await signIn('idp'));
    expect((await signIn('hosted')).headers.get('location')).toContain('tookOver=true');
    const { id = '' } = (await users()) ?? {};
    expect(await users()).toMatchObject({ outside_since: null });
    await stand.app.deps.store.people.setRole(id, 'owner');
    claim('idp', { groups: [] });
    await refused(await signIn('idp'));
    expect(await users()).toMatchObject({ is_owner: true, is_admin: true });
  });
});

describe('the start with groups and the hosted provider', () => {
  const HOSTED = { HOSTED_CLIENT_ID: 'h', HOSTED_CLIENT_SECRET: 's' };
  const IDP = {
    IDP_ISSUER_URL: 'https://idp.example.com',
    IDP_CLIENT_ID: 'i',
    IDP_CLIENT_SECRET: 's',
  };

  it.each<[string, Record<string, string>, boolean]>([
    ['both are on', { ...HOSTED, ...IDP, ...MEMBERS }, true],
    ['no member group is set', { ...HOSTED, ...IDP, ...ADMINS }, false],
    ['the idp is alone', { ...IDP, ...MEMBERS }, false],
  ])('warns only where a member group does not hold at one provider: %s', (_, env, warns) => {
    const config = readConfig({ DATA_DIR: '/nowhere', ...env }, () => 'ab'.repeat(32));
    expect(findUngroupedProvider(config) !== null).toBe(warns);
  });
});
