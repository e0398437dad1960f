// Tests how people see themselves and how administrators see them. reference: Administration of people; Limits per person
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentKey, client, connection, entry, putToken, token } from '../contracts/store/records.ts';
import { putFile } from '../support/files.ts';
import { done, publish } from '../support/jots.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const ALL = '/api/admin/people';

let app: TestApp;
let owner: TestUser;
let admin: TestUser;
let ana: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ...PROVIDER, PERSON_CALLS_PER_MINUTE: '50' } });
  owner = await userWithRole(app, 'olga@example.com', 'owner');
  admin = await userWithRole(app, 'adam@example.com', 'administrator');
  ana = await app.user();
});
afterAll(() => app.close());

const get = (user: TestUser, path: string) => send(app, user.sessionHeader, 'GET', path);
const limitsIn = (body: { limits: { name: string; used: number | null; limit: number | null }[] }) =>
  Object.fromEntries(body.limits.map(({ name, used, limit }) => [name, [used, limit]]));

describe('GET /api/me', () => {
  it('names the role of each person, also to the personal key', async () => {
    expect((await get(owner, '/api/me')).body).toMatchObject({
      id: owner.id,
      email: owner.email,
      role: 'owner',
      createdAt: expect.any(Number),
    });
    expect((await get(admin, '/api/me')).body.role).toBe('administrator');
    expect((await send(app, ana.keyHeader, 'GET', '/api/me')).body.role).toBe('member');
  });

  it('answers 401 without a credential and 403 to a named key', async () => {
    expect((await send(app, {}, 'GET', '/api/me')).status).toBe(401);
    const made = await app.deps.agentKeys.mint(ana.id, { name: 'Agent', limits: {}, expiresAt: null });
    const headers = { 'x-service-api-key': made?.key ?? '' };
    expect((await send(app, headers, 'GET', '/api/me')).status).toBe(403);
  });

  it('shows the owner of a gateway without a sign-in provider as its owner', async () => {
    const local = await createTestApp();
    const person = await local.user('owner@localhost');
    expect((await send(local, person.sessionHeader, 'GET', '/api/me')).body.role).toBe('owner');
    expect((await send(local, person.sessionHeader, 'GET', ALL)).status).toBe(200);
    await local.close();
  });

  it('counts what the person uses of each limit', async () => {
    const bea = await app.user('bea@example.com');
    const { calls, pending } = app.deps;
    const before = (await get(bea, '/api/me')).body;
    expect(limitsIn(before)).toEqual({
      calls: [0, 1_000],
      callsPerMinute: [0, 50],
      pending: [0, 20],
      results: [0, 256 * 1024 ** 2],
      files: [0, 1_000],
      fileBytes: [0, 1024 ** 3],
      jots: [0, 200],
      jotBytes: [0, 2 * 1024 ** 3],
      keys: [0, 100],
      sets: [0, 50],
      scripts: [0, 100],
      scriptRuns: [0, 200],
      questions: [0, 500],
      questionBytes: [0, 64 * 1024 ** 2],
    });
    const soon = { user_id: bea.id, integration: 'vaulted', expires_at: app.clock.now() + 600 };
    await pending.put({ connection_id: 'c-1', ...soon }, 20);
    await app.deps.agentKeys.mint(bea.id, { name: 'Agent', limits: {}, expiresAt: null });
    const { uploadUrl } = await done(app, bea, 'upload_file', {});
    expect((await putFile(app, uploadUrl, 'hello')).status).toBe(201);
    await publish(app, bea, 'beas-page', { 'index.html': 'hi' });
    app.clock.advance(60);
    calls.begin(bea.id);
    calls.begin(bea.id);
    calls.end(bea.id);
    expect(limitsIn((await get(bea, '/api/me')).body)).toMatchObject({
      calls: [1, 1_000],
      callsPerMinute: [2, 50],
      pending: [1, 20],
      files: [1, 1_000],
      fileBytes: [5, 1024 ** 3],
      jots: [1, 200],
      jotBytes: [4_098, 2 * 1024 ** 3],
      keys: [1, 100],
      sets: [0, 50],
    });
    calls.end(bea.id);
    app.clock.advance(60);
    expect(limitsIn((await get(bea, '/api/me')).body)).toMatchObject({
      calls: [0, 1_000],
      callsPerMinute: [0, 50],
    });
  });
});

describe('notices', () => {
  it('tell owners alone that nobody has said who may sign in', async () => {
    const secret = '0123456789abcdef'.repeat(4);
    const secrets = { SESSION_SECRET: secret, ENCRYPTION_KEY: secret };
    const env = { ...PROVIDER, ...secrets, SERVER_PUBLIC_URL: 'https://gate.example.com' };
    const open = await createTestApp({ env });
    const [one, two] = [
      await userWithRole(open, 'one@example.com', 'owner'),
      await userWithRole(open, 'two@example.com', 'administrator'),
    ];
    const me = async (user: TestUser) => (await send(open, user.sessionHeader, 'GET', '/api/me')).body;
    expect((await me(one)).notices).toEqual([expect.stringContaining('SIGN_IN_ALLOW')]);
    expect(await me(two)).not.toHaveProperty('notices');
    await open.close();
    const closed = await createTestApp({ env: { ...env, SIGN_IN_ALLOW: 'example.com' } });
    const { sessionHeader } = await userWithRole(closed, 'one@example.com', 'owner');
    expect((await send(closed, sessionHeader, 'GET', '/api/me')).body).not.toHaveProperty('notices');
    await closed.close();
  });
});

describe('the list of people', () => {
  it('shows each person with role, state and counts, and no secret', async () => {
    const cy = await app.user('cy@example.com');
    const { store } = app.deps;
    const now = app.clock.now();
    await store.people.noteSignIn(cy.id, now - 10);
    await store.connections.put(connection({ user_id: cy.id, integration: 'github' }));
    await store.audit.append([entry({ user_id: cy.id, created_at: now - 5 })]);
    await store.agentKeys.add(agentKey({ user_id: cy.id }), 9);
    await putToken(store, token({ user_id: cy.id, expires_at: now + 60 }));
    const { body } = await get(admin, `${ALL}?query=CY@`);
    expect(body).toEqual({
      people: [
        {
          id: cy.id,
          email: 'cy@example.com',
          role: 'member',
          status: 'active',
          createdAt: expect.any(Number),
          signedInAt: now - 10,
          calledAt: now - 5,
          connections: 1,
          agents: 1,
          keys: 2,
        },
      ],
    });
  });

  it('goes on from page to page, and shows everybody once', async () => {
    const { store, random } = app.deps;
    for (let each = 0; each < 205; each++)
      await store.people.invite({ id: random.uuid(), email: `many-${each}@example.com`, created_at: 1 });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const more = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { status, body } = await get(admin, `${ALL}?query=many-${more}`);
      expect(status).toBe(200);
      seen.push(...body.people.map(({ email }: { email: string }) => email));
      cursor = body.nextCursor;
      pages++;
    } while (cursor !== undefined);
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 205, 205]);
    expect(seen).toEqual(seen.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it.each(['cursor=%00', 'cursor=AA', 'cursor=!', `query=${'x'.repeat(255)}`, 'query=%00'])(
    'answers 400 for %s',
    async (query) => {
      expect((await get(admin, `${ALL}?${query}`)).status).toBe(400);
    },
  );

  it('takes no wildcard', async () => {
    expect((await get(admin, `${ALL}?query=%25`)).body).toEqual({ people: [] });
  });
});

describe('one person in full', () => {
  it('has the accounts, clients, named keys and limits, and nothing secret', async () => {
    const di = await app.user('di@example.com');
    const { store } = app.deps;
    const agent = client({ client_name: 'Editor' });
    await store.clients.put(agent);
    await putToken(
      store,
      token({ user_id: di.id, client_id: agent.client_id, expires_at: app.clock.now() + 60 }),
    );
    await store.agentKeys.add(agentKey({ user_id: di.id, name: 'Laptop', last_used_at: 5 }), 9);
    const common = { user_id: di.id, access_token: 'sealed-secret' };
    await store.connections.put(connection({ ...common, integration: 'figma', status: null }));
    await store.connections.put(connection({ ...common, integration: 'github', label: 'work' }));
    await store.connections.add(
      connection({ ...common, integration: 'github', account: 'b', label: 'home', status: 'reconnect' }),
      9,
    );
    const { status, body } = await get(admin, `${ALL}/${di.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: di.id,
      accounts: [
        { integration: 'figma', status: 'unverified' },
        { integration: 'github', label: 'work', status: 'ok' },
        { integration: 'github', label: 'home', status: 'reconnect' },
      ],
      clients: [{ id: agent.client_id, name: 'Editor' }],
      namedKeys: [{ name: 'Laptop', lastUsedAt: 5 }],
    });
    expect(body.accounts[0]).not.toHaveProperty('label');
    expect(limitsIn(body)['keys']).toEqual([1, 100]);
    expect(JSON.stringify(body)).not.toMatch(/sealed|sha|hash|agk_/);
  });

  it.each(['nope', '00000000-0000-4000-8000-000000000000', '%00'])('answers 404 for %s', async (id) => {
    expect((await get(admin, `${ALL}/${id}`)).status).toBe(404);
  });
});

describe('members', () => {
  it.each([
    ['GET', ALL],
    ['POST', ALL],
    ['GET', `${ALL}/00000000-0000-4000-8000-000000000000`],
    ['PATCH', `${ALL}/00000000-0000-4000-8000-000000000000`],
    ['GET', '/api/admin/audit'],
    ['GET', '/api/admin/clients'],
    ['GET', '/api/admin/agents'],
    ['DELETE', '/api/admin/agents/some-client'],
  ])('get 403 from %s %s, and strangers 401', async (method, path) => {
    expect((await send(app, ana.sessionHeader, method, path)).status).toBe(403);
    expect((await send(app, {}, method, path)).status).toBe(401);
  });
});
