// Tests the SCIM door: who may come in, what a directory does to people and groups, and what it cannot do.
// reference: SCIM; decision: 071
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { GROUP, patch, scim, SCIM_TOKEN, USER, userNamed } from '../support/scim.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let owner: TestUser;
let ana: TestUser;

async function open(env: Record<string, string> = {}): Promise<void> {
  app = await createTestApp({ env: { ...PROVIDER, SCIM_TOKEN, ...env } });
  owner = await userWithRole(app, 'the-owner@example.com', 'owner');
  ana = await app.user('ana@example.com');
}
beforeEach(() => open());
afterEach(() => app.close());

const statusOf = async (headers: Record<string, string>) =>
  (await app.request('/api/connections', { headers })).status;
const rows = async () => {
  await app.deps.audit.flush();
  const all = await app.deps.store.audit.list({ user_id: null, limit: 50 });
  return all
    .filter(({ action }) => action === 'DIRECTORY')
    .map(({ tool, user_id, account }) => [tool, user_id, account])
    .toReversed();
};
const makeGroup = async (displayName: string, members: string[] = [], more: object = {}) =>
  (
    await scim(app, 'POST', '/Groups', {
      schemas: [GROUP],
      displayName,
      members: members.map((value) => ({ value })),
      ...more,
    })
  ).body;

describe('the door', () => {
  it('is not there without a token: the paths are like any unknown one', async () => {
    await app.close();
    app = await createTestApp({ env: PROVIDER });
    const unknown = await app.request('/nothing/v2/Users');
    for (const path of ['/Users', '/ServiceProviderConfig', ''])
      expect((await scim(app, 'GET', path)).status).toBe(unknown.status);
    expect((await scim(app, 'POST', '/Users', userNamed('b@example.com'))).status).toBe(404);
  });

  it.each(['', 'x', SCIM_TOKEN.slice(0, -1), `${SCIM_TOKEN}x`, SCIM_TOKEN.toUpperCase()])(
    'refuses the token %j',
    async (token) => {
      const refused = await scim(app, 'GET', '/Users', undefined, token);
      expect(refused).toMatchObject({ status: 401, body: { status: '401' } });
      expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="scim"');
      expect(JSON.stringify([refused.body, app.lines])).not.toContain(SCIM_TOKEN);
    },
  );

  it('refuses the session and the key of an owner, and opens nothing else', async () => {
    for (const headers of [owner.sessionHeader, owner.keyHeader])
      expect((await app.request('/scim/v2/Users', { headers })).status).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${SCIM_TOKEN}` })).toBe(401);
  });

  it('limits an address that guesses, and refuses large bodies, bad JSON and what is too much', async () => {
    await app.close();
    await open({
      SERVER_PUBLIC_URL: 'https://gate.example.com',
      SESSION_SECRET: 'A session secret that nobody guesses, 1',
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    });
    const guess = () =>
      app.fetchWith(
        new Request('https://gate.example.com/scim/v2/Users', { headers: { authorization: 'Bearer x' } }),
        { incoming: { socket: { remoteAddress: '192.0.2.7' } } },
      );
    for (let at = 0; at < 120; at++) expect((await guess()).status).toBe(401);
    const limited = await guess();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    const large = `{"userName":"${'x'.repeat(2 * 1024 * 1024)}"}`;
    expect((await scim(app, 'POST', '/Users', large)).status).toBe(413);
    expect((await scim(app, 'POST', '/Users', '{')).body).toMatchObject({ scimType: 'invalidSyntax' });
    const many = Array.from({ length: 1_001 }, () => ({ op: 'replace', path: 'active', value: true }));
    expect((await patch(app, `/Users/${ana.id}`, ...many)).status).toBe(400);
  });

  it('answers in its own media type, also to errors, and says what it can do', async () => {
    for (const path of ['/Users', '/Users/nobody', '/Nothing', '/ServiceProviderConfig'])
      expect((await scim(app, 'GET', path)).headers.get('content-type')).toBe('application/scim+json');
    const { body } = await scim(app, 'GET', '/ServiceProviderConfig');
    expect(body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
    expect((await scim(app, 'GET', '/Schemas')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
      USER,
      GROUP,
    ]);
  });

  it('answers that it may pass when the store is away', async () => {
    const { Unavailable } = await import('../../src/ports/unavailable.ts');
    app.deps.store.directory.people = () => Promise.reject(new Unavailable('[sql] away'));
    const away = await scim(app, 'GET', '/Users');
    expect([away.status, away.headers.get('retry-after'), away.body.status]).toEqual([503, '5', '503']);
    expect(JSON.stringify(away.body)).not.toContain('sql');
  });
});

describe('people', () => {
  it('are created, found, changed and listed by page', async () => {
    const made = await scim(app, 'POST', '/Users', userNamed('Bob@Example.com', { externalId: 'e1' }));
    expect(made).toMatchObject({
      status: 201,
      body: {
        userName: 'Bob@Example.com',
        externalId: 'e1',
        active: true,
        meta: { resourceType: 'User', location: `http://localhost:3000/scim/v2/Users/${made.body.id}` },
      },
    });
    expect(made.headers.get('location')).toBe(made.body.meta.location);
    for (const filter of ['userName eq "bob@example.com"', 'externalId eq "e1"', `id eq "${made.body.id}"`]) {
      const { body } = await scim(app, 'GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: made.body.id }] });
    }
    const put = await scim(
      app,
      'PUT',
      `/Users/${made.body.id}`,
      userNamed('bob@example.com', { displayName: 'Bob' }),
    );
    expect(put.body).toMatchObject({ displayName: 'Bob', userName: 'bob@example.com' });
    expect(put.body.externalId).toBeUndefined();
    const first = (await scim(app, 'GET', '/Users?startIndex=1&count=2')).body;
    const second = (await scim(app, 'GET', '/Users?startIndex=3&count=2')).body;
    expect([first.totalResults, first.itemsPerPage, second.startIndex]).toEqual([4, 2, 3]);
    const ids = [...first.Resources, ...second.Resources].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect((await scim(app, 'GET', '/Users?count=0')).body).toMatchObject({ totalResults: 4, Resources: [] });
    expect(await rows()).toEqual([
      ['scim_user_created', made.body.id, null],
      ['scim_user_changed', made.body.id, null],
    ]);
  });

  it('that a sign-in has brought are listed by their address, and are taken over by it', async () => {
    const found = await scim(app, 'GET', '/Users?filter=userName%20eq%20%22ana@example.com%22');
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: ana.id, userName: ana.email }] });
    const made = await scim(
      app,
      'POST',
      '/Users',
      userNamed('ana', { emails: [{ value: 'Ana@example.com' }] }),
    );
    expect(made).toMatchObject({ status: 201, body: { id: ana.id, userName: 'ana' } });
    expect(await statusOf(ana.keyHeader)).toBe(200);
    const again = await scim(app, 'POST', '/Users', userNamed('ana2', { emails: [{ value: ana.email }] }));
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
    const namesake = await scim(
      app,
      'POST',
      '/Users',
      userNamed('ANA', { emails: [{ value: 'o@example.com' }] }),
    );
    expect([namesake.status, namesake.body.scimType]).toEqual([409, 'uniqueness']);
    expect(await app.deps.store.users.byEmail('o@example.com')).toBeNull();
  });

  it('lose their sessions and keys at once when they are made inactive, and come back without them', async () => {
    expect(await statusOf(ana.sessionHeader)).toBe(200);
    const off = await patch(app, `/Users/${ana.id}`, { op: 'replace', path: 'active', value: false });
    expect(off).toMatchObject({ status: 200, body: { active: false } });
    expect([await statusOf(ana.sessionHeader), await statusOf(ana.keyHeader)]).toEqual([401, 401]);
    app.clock.advance(1);
    expect(
      (await patch(app, `/Users/${ana.id}`, { op: 'replace', path: 'active', value: true })).body.active,
    ).toBe(true);
    expect(await app.deps.store.users.byId(ana.id)).toMatchObject({ disabled_at: null });
    expect([await statusOf(ana.sessionHeader), await statusOf(ana.keyHeader)]).toEqual([401, 401]);
    expect((await rows()).map(([tool]) => tool)).toEqual([
      'scim_user_deactivated',
      'scim_user_changed',
      'scim_user_activated',
    ]);
  });

  it('stay disabled whom an administrator has disabled, whatever the directory says', async () => {
    await send(app, owner.sessionHeader, 'PATCH', `/api/admin/people/${ana.id}`, { disabled: true });
    for (const answer of [
      await scim(app, 'PUT', `/Users/${ana.id}`, userNamed(ana.email)),
      await patch(app, `/Users/${ana.id}`, { op: 'replace', value: { active: true } }),
    ])
      expect(answer).toMatchObject({ status: 200, body: { active: false } });
    expect((await app.deps.store.users.byId(ana.id))?.disabled_at).not.toBeNull();
  });

  it('keep what is theirs when the directory deletes them, and are themselves when they come again', async () => {
    await app.deps.vault.save(ana.id, 'github', { accessToken: 'x' });
    expect((await scim(app, 'DELETE', `/Users/${ana.id}`)).status).toBe(204);
    expect(await statusOf(ana.sessionHeader)).toBe(401);
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', userNamed(ana.email)]] as const)
      expect((await scim(app, method, `/Users/${ana.id}`, body)).status).toBe(404);
    const filter = 'filter=userName%20eq%20%22ana@example.com%22';
    expect((await scim(app, 'GET', `/Users?${filter}`)).body.totalResults).toBe(0);
    const again = await scim(app, 'POST', '/Users', userNamed(ana.email));
    expect(again).toMatchObject({ status: 201, body: { id: ana.id, active: true } });
    expect((await app.deps.store.users.byId(ana.id))?.disabled_at).toBeNull();
    expect(await app.deps.store.connections.of(ana.id, 'github')).toHaveLength(1);
  });

  it('keep the last owner, who cannot be locked out', async () => {
    const first = await app.deps.store.users.byEmail('first@example.com');
    await app.deps.store.people.setRole(first?.id ?? '', 'member');
    const off = await patch(app, `/Users/${owner.id}`, { op: 'replace', path: 'active', value: false });
    expect([off.status, off.body.detail]).toEqual([403, expect.stringMatching(/last owner/)]);
    expect((await scim(app, 'DELETE', `/Users/${owner.id}`)).status).toBe(403);
    expect(await statusOf(owner.sessionHeader)).toBe(200);
  });

  it('are not found by an address that nobody has verified', async () => {
    await app.deps.store.users.create({
      id: 'stranger',
      email: 'eve@example.com',
      created_at: 1,
      unverified_since: 1,
    });
    expect((await scim(app, 'GET', '/Users/stranger')).status).toBe(404);
    expect((await scim(app, 'POST', '/Users', userNamed('eve@example.com'))).status).toBe(409);
  });

  it.each<[string, object]>([
    ['no user name', { userName: '' }],
    ['a user name that is no text', { userName: 7 }],
    ['no address', { userName: 'bob', emails: [] }],
    ['an address that is none', { emails: [{ value: 'bob' }] }],
    ['a long name', { displayName: 'x'.repeat(256) }],
    ['many addresses', { emails: Array.from({ length: 21 }, (_, at) => ({ value: `${at}@example.com` })) }],
    ['active that is no switch', { active: 'perhaps' }],
    ['another schema', { schemas: [GROUP] }],
  ])('are refused with %s', async (_, more) => {
    const { status, body } = await scim(app, 'POST', '/Users', userNamed('bob@example.com', more));
    expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    expect(await app.deps.store.users.byEmail('bob@example.com')).toBeNull();
  });

  it.each([
    ['GET', '/Users?filter=userName%20co%20%22a%22', 'invalidFilter'],
    ['GET', '/Users?filter=password%20eq%20%22a%22', 'invalidFilter'],
    ['GET', '/Users?startIndex=x', 'invalidValue'],
  ])('answer %s %s with what is wrong', async (method, path, scimType) => {
    expect(await scim(app, method, path)).toMatchObject({ status: 400, body: { scimType } });
  });

  it.each([
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'move', path: 'active' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
    [{ op: 'replace', path: 'a b', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails[type sw "w"].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'remove', path: 'emails' }, 'invalidValue'],
    [{ op: 'replace', path: '__proto__.x', value: 'x' }, null],
  ])('answer the operation %j with what is wrong', async (operation, scimType) => {
    const { status, body } = await patch(app, `/Users/${ana.id}`, operation);
    expect([status, body.scimType ?? null]).toEqual(
      scimType === null ? [400, 'invalidPath'] : [400, scimType],
    );
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('groups', () => {
  it('are created, found, renamed, and emptied', async () => {
    const group = await makeGroup('Engineers', [ana.id], { externalId: 'g-1' });
    expect(group).toMatchObject({ displayName: 'Engineers', members: [{ value: ana.id }] });
    expect((await scim(app, 'GET', `/Users/${ana.id}`)).body.groups).toMatchObject([
      { value: group.id, display: 'Engineers' },
    ]);
    const filter = encodeURIComponent('displayName eq "engineers"');
    expect(
      (await scim(app, 'GET', `/Groups?filter=${filter}&excludedAttributes=members`)).body.Resources,
    ).toEqual([expect.not.objectContaining({ members: expect.anything() })]);
    expect(await scim(app, 'POST', '/Groups', { schemas: [GROUP], displayName: 'ENGINEERS' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
    expect(await app.deps.store.groups.of(ana.id)).toEqual(['Engineers', 'g-1']);
    await patch(app, `/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'Makers' });
    expect(await app.deps.store.groups.of(ana.id)).toEqual(['Makers', 'g-1']);
    await scim(app, 'PUT', `/Groups/${group.id}`, { schemas: [GROUP], displayName: 'Makers' });
    expect(await app.deps.store.groups.of(ana.id)).toEqual([]);
    expect((await scim(app, 'DELETE', `/Groups/${group.id}`)).status).toBe(204);
    expect((await scim(app, 'GET', `/Groups/${group.id}`)).status).toBe(404);
    expect(await rows()).toEqual([
      ['scim_group_created', '', 'Engineers'],
      ['scim_group_joined', ana.id, 'Engineers'],
      ['scim_group_changed', '', 'Makers'],
      ['scim_group_changed', '', 'Makers'],
      ['scim_group_left', ana.id, 'Makers'],
      ['scim_group_removed', '', 'Makers'],
    ]);
  });

  it('refuse a member who is nobody, and change nothing', async () => {
    const group = await makeGroup('Engineers', [ana.id]);
    const { status } = await patch(
      app,
      `/Groups/${group.id}`,
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: [{ value: 'nobody' }] },
    );
    expect(status).toBe(400);
    expect((await scim(app, 'GET', `/Groups/${group.id}`)).body.members).toHaveLength(1);
  });

  it('decide with the rules for everyone at once', async () => {
    const rules = [
      { tool: 'shout', decision: 'block' },
      { tool: 'shout', groups: ['Engineers'], decision: 'allow' },
    ];
    await send(app, owner.sessionHeader, 'PUT', '/api/admin/policy', { rules });
    const { run } = await import('../support/policy.ts');
    const shout = async () => {
      const answer = await run(app, ana.keyHeader, 'shout', { text: 'a' });
      return answer.error ?? answer.result;
    };
    expect(await shout()).toBe('BLOCKED');
    const group = await makeGroup('Engineers', [ana.id]);
    expect(await shout()).toBe('A');
    await patch(app, `/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${ana.id}"]` });
    expect(await shout()).toBe('BLOCKED');
  });

  it('take what a sign-in said before as well', async () => {
    const group = await makeGroup('Engineers', [ana.id], { externalId: 'g-1' });
    await app.deps.store.groups.note(ana.id, 'idp', ['Engineers', 'g-1', 'Other']);
    await patch(app, `/Groups/${group.id}`, { op: 'remove', path: 'members', value: [{ value: ana.id }] });
    expect(await app.deps.store.groups.of(ana.id)).toEqual(['Other']);
  });
});

describe('groups of the configuration', () => {
  beforeEach(async () => {
    await app.close();
    await open({ HOSTED_MEMBER_GROUP: 'staff', HOSTED_ADMIN_GROUP: 'ops' });
  });
  const roleOf = async (id: string) => {
    const user = await app.deps.store.users.byId(id);
    return user?.is_owner ? 'owner' : user?.is_admin ? 'administrator' : 'member';
  };

  it('make administrators, and end the access of somebody who leaves the last of them', async () => {
    const staff = await makeGroup('staff', [ana.id, owner.id]);
    const ops = await makeGroup('ops', [ana.id]);
    expect([await roleOf(ana.id), await roleOf(owner.id)]).toEqual(['administrator', 'owner']);
    const leave = (id: string) =>
      patch(app, `/Groups/${id}`, { op: 'remove', path: `members[value eq "${ana.id}"]` });
    await leave(ops.id);
    expect([await roleOf(ana.id), await statusOf(ana.sessionHeader)]).toEqual(['member', 200]);
    await leave(staff.id);
    expect([await statusOf(ana.sessionHeader), await statusOf(ana.keyHeader)]).toEqual([401, 401]);
    expect((await app.deps.store.users.byId(ana.id))?.outside_since).not.toBeNull();
    await patch(app, `/Groups/${staff.id}`, { op: 'add', path: 'members', value: [{ value: ana.id }] });
    expect((await app.deps.store.users.byId(ana.id))?.outside_since).toBeNull();
  });

  it('end the access of everybody in a group that is deleted', async () => {
    const staff = await makeGroup('staff', [ana.id]);
    await scim(app, 'DELETE', `/Groups/${staff.id}`);
    expect(await statusOf(ana.sessionHeader)).toBe(401);
  });

  it('end the access before the group changes, so that a lost process leaves nothing open', async () => {
    const staff = await makeGroup('staff', [ana.id]);
    const { directory } = app.deps.store;
    const { changeMembers } = directory;
    directory.changeMembers = () => Promise.reject(new Error('the process is lost'));
    const leave = { op: 'remove', path: `members[value eq "${ana.id}"]` };
    expect((await patch(app, `/Groups/${staff.id}`, leave)).status).toBe(500);
    expect(await statusOf(ana.sessionHeader)).toBe(401);
    directory.changeMembers = changeMembers;
    expect((await patch(app, `/Groups/${staff.id}`, leave)).status).toBe(200);
    expect((await app.deps.store.users.byId(ana.id))?.outside_since).not.toBeNull();
  });

  it('leave alone who leaves another group', async () => {
    await makeGroup('staff', []);
    const other = await makeGroup('other', [ana.id]);
    await scim(app, 'DELETE', `/Groups/${other.id}`);
    expect(await statusOf(ana.sessionHeader)).toBe(200);
  });
});
