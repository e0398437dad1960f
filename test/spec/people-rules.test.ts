// Tests who may invite and change whom, one after the other and at once. reference: Administration of people; People
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoteFirst, PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const ALL = '/api/admin/people';

let app: TestApp;
let owner: TestUser;
let admin: TestUser;
let member: TestUser;
let count = 0;
const address = () => `p${count++}@example.com`;
beforeAll(async () => {
  app = await createTestApp({ env: PROVIDER });
  owner = await userWithRole(app, 'olga@example.com', 'owner');
  admin = await userWithRole(app, 'adam@example.com', 'administrator');
  await demoteFirst(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  member = await app.user(address());
});

const patch = (asker: TestUser, person: Pick<TestUser, 'id'>, change: object) =>
  send(app, asker.sessionHeader, 'PATCH', `${ALL}/${person.id}`, change);
const invite = (asker: TestUser, form: object) => send(app, asker.sessionHeader, 'POST', ALL, form);
const roleOf = async ({ id }: Pick<TestUser, 'id'>) => {
  const user = await app.deps.store.users.byId(id);
  return [user?.is_admin, user?.is_owner];
};
const isIn = async ({ sessionHeader }: TestUser) =>
  (await send(app, sessionHeader, 'GET', '/api/me')).status === 200;

describe('an invitation', () => {
  it('makes a person who is invited, in the spelling in which a sign-in finds the address', async () => {
    const { status, body } = await invite(admin, { email: '  Bob@Example.COM ' });
    expect([status, body]).toMatchObject([
      201,
      { email: 'bob@example.com', role: 'member', status: 'invited' },
    ]);
    expect(await app.deps.store.users.byEmail('bob@example.com')).toMatchObject({ id: body.id });
    expect(app.lines).toContainEqual({
      level: 'info',
      event: 'a person was invited',
      user: admin.id,
      person: body.id,
    });
    expect(JSON.stringify(app.lines)).not.toContain('bob@');
  });

  it('is active as soon as the person has signed in', async () => {
    const { body } = await invite(admin, { email: address() });
    await app.deps.store.people.noteSignIn(body.id, app.clock.now());
    expect((await send(app, admin.keyHeader, 'GET', `${ALL}/${body.id}`)).body.status).toBe('active');
  });

  it('may give a role, and only an owner may make an owner', async () => {
    expect((await invite(admin, { email: address(), role: 'administrator' })).body.role).toBe(
      'administrator',
    );
    const email = address();
    expect((await invite(admin, { email, role: 'owner' })).status).toBe(403);
    expect(await app.deps.store.users.byEmail(email)).toBeNull();
    const made = await invite(owner, { email, role: 'owner' });
    expect([made.status, made.body.role]).toEqual([201, 'owner']);
    await app.deps.store.people.setRole(made.body.id, 'member');
  });

  it('answers 409 with what a person who is here is, and changes nothing', async () => {
    const told = async (email: string, words: RegExp) => {
      const before = await app.deps.store.users.byEmail(email);
      const { status, body } = await invite(owner, { email, role: 'administrator' });
      expect([status, body.error]).toEqual([409, expect.stringMatching(words)]);
      expect(await app.deps.store.users.byEmail(email)).toEqual(before);
    };
    await told(member.email, /is a member here already, and may sign in/);
    await told(admin.email.toUpperCase(), /adam@example.com is an administrator here already/);
    const { body } = await invite(admin, { email: address() });
    await told(body.email, /a member here already, and has been invited/);
    await patch(admin, body, { disabled: true });
    await told(body.email, /is disabled: enable/);
  });

  it('of an address that nobody has verified lets its holder in and gives no role', async () => {
    const { store, random } = app.deps;
    const email = address();
    const stranger = { id: random.uuid(), email, created_at: 1, unverified_since: 1 };
    await store.users.create(stranger);
    expect((await invite(owner, { email, role: 'administrator' })).status).toBe(409);
    const { status, body } = await invite(owner, { email });
    expect([status, body]).toMatchObject([201, { id: stranger.id, unverified: true, role: 'member' }]);
    expect((await store.users.byEmail(email))?.invited_at).not.toBeNull();
    expect((await patch(owner, stranger, { role: 'administrator' })).status).toBe(409);
    expect((await patch(owner, stranger, { role: 'owner' })).status).toBe(409);
    expect(await roleOf(stranger)).toEqual([false, false]);
  });

  it.each([
    {},
    { email: 'bob' },
    { email: '@example.com' },
    { email: 'a@b@example.com' },
    { email: 'a b@example.com' },
    { email: 'a\u0000@example.com' },
    { email: `${'a'.repeat(243)}@example.com` },
    { email: 'bob@example.com', role: 'king' },
    { email: 'bob@example.com', admin: true },
  ])('answers 400 for %j', async (form) => {
    expect((await invite(admin, form)).status).toBe(400);
  });

  it('of one address by many administrators at once makes one person, and answers one of them 201', async () => {
    const email = address();
    const roles = ['administrator', 'member'] as const;
    const asked = Array.from({ length: 16 }, (_, at) =>
      invite(at % 2 === 0 ? owner : admin, { email, role: roles[at % 2] ?? 'member' }),
    );
    const answers = await Promise.all(asked);
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
    const user = await app.deps.store.users.byEmail(email);
    expect([user?.id, user?.is_admin]).toEqual([made[0]?.body.id, made[0]?.body.role === 'administrator']);
  });
});

describe('a role', () => {
  it('is changed by administrators among members and administrators', async () => {
    expect((await patch(admin, member, { role: 'administrator' })).body).toMatchObject({
      role: 'administrator',
    });
    expect(await roleOf(member)).toEqual([true, false]);
    expect((await patch(admin, member, { role: 'member' })).status).toBe(200);
    expect(await roleOf(member)).toEqual([false, false]);
    expect(app.lines).toContainEqual({
      level: 'info',
      event: 'the role of a person was changed',
      user: admin.id,
      person: member.id,
      role: 'member',
    });
  });

  it('of an owner is changed and given by owners alone', async () => {
    for (const change of [{ role: 'member' }, { role: 'owner' }, { disabled: true }, { disabled: false }])
      expect((await patch(admin, owner, change)).status).toBe(403);
    expect((await patch(admin, member, { role: 'owner' })).status).toBe(403);
    expect((await patch(admin, admin, { role: 'owner' })).status).toBe(403);
    expect(await roleOf(owner)).toEqual([true, true]);
    expect((await patch(owner, member, { role: 'owner' })).body.role).toBe('owner');
    expect((await patch(owner, member, { role: 'member' })).body.role).toBe('member');
  });

  it('of the last owner stays', async () => {
    const { status, body } = await patch(owner, owner, { role: 'member' });
    expect([status, body.error]).toEqual([409, expect.stringContaining('last owner')]);
    expect(await roleOf(owner)).toEqual([true, true]);
  });

  it.each([[{}], [{ role: 'king' }], [{ disabled: 'yes' }], [{ role: 'member', owner: true }]])(
    'answers 400 for %j',
    async (change) => {
      expect((await patch(owner, member, change)).status).toBe(400);
    },
  );

  it('leaves one owner when two owners demote each other at once, again and again', async () => {
    for (let round = 0; round < 8; round++) {
      const second = await userWithRole(app, address(), 'owner');
      const answers = await Promise.all([
        patch(owner, second, { role: 'member' }),
        patch(second, owner, { role: 'member' }),
      ]);
      // The loser is told that the other is the last owner, or that it is no owner any more.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status } of answers) expect([200, 403, 409]).toContain(status);
      const owners = (await Promise.all([roleOf(owner), roleOf(second)])).filter(([, isOwner]) => isOwner);
      expect(owners).toHaveLength(1);
      await app.deps.store.people.setRole(owner.id, 'owner');
      await app.deps.store.people.setRole(second.id, 'member');
    }
  });
});

describe('disabling', () => {
  it('ends the session and the keys at once, keeps the person out, and enabling makes no old one work', async () => {
    expect(await isIn(member)).toBe(true);
    app.clock.advance(1);
    const { status, body } = await patch(admin, member, { disabled: true });
    expect([status, body]).toMatchObject([200, { id: member.id, status: 'disabled', keys: 0 }]);
    expect(await isIn(member)).toBe(false);
    expect((await send(app, member.keyHeader, 'GET', '/api/me')).status).toBe(401);
    app.clock.advance(1);
    expect((await patch(admin, member, { disabled: false })).body.status).toBe('active');
    expect(await isIn(member)).toBe(false);
    expect(app.lines).toContainEqual(
      expect.objectContaining({ event: 'a person was disabled', user: admin.id, person: member.id }),
    );
    expect(app.lines).toContainEqual(
      expect.objectContaining({ event: 'a person was enabled', user: admin.id, person: member.id }),
    );
    const session = await app.deps.sessions.issue(member);
    const headers = { authorization: `Bearer ${session}` };
    expect((await send(app, headers, 'GET', '/api/me')).status).toBe(200);
  });

  it('keeps the ending for as long as a session or an access token lives', async () => {
    const open = await createTestApp({ env: { ...PROVIDER, OAUTH_ACCESS_TOKEN_TTL_SECONDS: '86400' } });
    const { deps, clock } = open;
    const asker = await userWithRole(open, 'olga@example.com', 'owner');
    const person = await open.user();
    await send(open, asker.sessionHeader, 'PATCH', `${ALL}/${person.id}`, { disabled: true });
    const now = clock.now();
    const ending = { person: deps.digest.sha256(person.id), before: now };
    expect(await deps.store.people.endings(now + 86_404)).toEqual([ending]);
    expect(await deps.store.people.endings(now + 86_405)).toEqual([]);
    await open.close();
  });

  it('is for nobody themselves, and not for the last owner', async () => {
    expect((await patch(admin, admin, { disabled: true })).status).toBe(409);
    expect((await patch(owner, owner, { disabled: true })).status).toBe(409);
    const second = await userWithRole(app, address(), 'owner');
    expect((await patch(second, owner, { disabled: true, role: 'administrator' })).status).toBe(200);
    expect((await patch(second, owner, { disabled: false, role: 'owner' })).status).toBe(200);
    expect((await patch(second, second, { role: 'member' })).status).toBe(200);
    owner = { ...owner, sessionHeader: { authorization: `Bearer ${await nextSession(owner)}` } };
    expect((await patch(owner, second, { disabled: true })).status).toBe(200);
  });

  it('leaves one owner when two owners disable each other at once', async () => {
    const second = await userWithRole(app, address(), 'owner');
    const answers = await Promise.all([
      patch(owner, second, { disabled: true }),
      patch(second, owner, { disabled: true }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = await Promise.all([owner, second].map(({ id }) => app.deps.store.users.byId(id)));
    expect(rows.filter((row) => row?.disabled_at === null && row.is_owner)).toHaveLength(1);
    for (const { id } of [owner, second]) await app.deps.store.people.enable(id);
    await app.deps.store.people.setRole(owner.id, 'owner');
    await app.deps.store.people.setRole(second.id, 'member');
    owner = { ...owner, sessionHeader: { authorization: `Bearer ${await nextSession(owner)}` } };
  });

  it('needs a portal session', async () => {
    const asked = send(app, admin.keyHeader, 'PATCH', `${ALL}/${member.id}`, { disabled: true });
    expect((await asked).status).toBe(403);
    expect((await send(app, admin.keyHeader, 'POST', ALL, { email: address() })).status).toBe(403);
    expect(await isIn(member)).toBe(true);
  });

  it('is refused for the owner of a gateway without a sign-in provider', async () => {
    const local = await createTestApp();
    const person = await local.user('owner@localhost');
    const asker = await userWithRole(local, 'olga@example.com', 'owner');
    for (const change of [{ disabled: true }, { role: 'member' }]) {
      const path = `${ALL}/${person.id}`;
      expect((await send(local, asker.sessionHeader, 'PATCH', path, change)).status).toBe(409);
    }
    expect((await send(local, person.sessionHeader, 'GET', '/api/me')).body.role).toBe('owner');
    await local.close();
  });
});

/** A session that was issued in the second of an ending is over, too. */
async function nextSession(user: TestUser): Promise<string> {
  app.clock.advance(2);
  return app.deps.sessions.issue(user);
}
