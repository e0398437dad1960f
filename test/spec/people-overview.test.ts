// Tests what administrators see of everybody's calls and of registered clients. reference: Administration of people
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_PAGE } from '../../src/record/model/limits.ts';
import { client, code, entry, grant, putToken, token } from '../contracts/store/records.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let ana: TestUser;
let bea: TestUser;
beforeAll(async () => {
  app = await createTestApp({
    env: { ...PROVIDER, VAULTED_CLIENT_ID: 'from-environment', VAULTED_CLIENT_SECRET: 'secret-1' },
  });
  admin = await userWithRole(app, 'adam@example.com', 'administrator');
  ana = await app.user();
  bea = await app.user('bea@example.com');
});
afterAll(() => app.close());

const ask = (path: string, method = 'GET', headers: Record<string, string> = admin.sessionHeader) =>
  send(app, headers, method, path);

describe("everybody's calls", () => {
  it('have the person of each row, also one who is gone, and filters of one person', async () => {
    const { audit } = app.deps.store;
    await audit.append([
      entry({ user_id: ana.id, integration: 'echo', tool: 'a', success: true }),
      entry({ user_id: 'gone-7', integration: 'echo', tool: 'b', success: false }),
      entry({ user_id: bea.id, integration: 'time', tool: 'c', success: true }),
    ]);
    const { status, body } = await ask('/api/admin/audit');
    expect(status).toBe(200);
    expect(body.entries).toMatchObject([
      { tool: 'c', user: { id: bea.id, email: 'bea@example.com' } },
      { tool: 'b', user: { id: 'gone-7', email: null } },
      { tool: 'a', user: { id: ana.id, email: 'ana@example.com' } },
    ]);
    const toolsOf = async (query: string) =>
      (await ask(`/api/admin/audit?${query}`)).body.entries.map(({ tool }: { tool: string }) => tool);
    expect(await toolsOf(`person=${ana.id}`)).toEqual(['a']);
    expect(await toolsOf('person=gone-7')).toEqual(['b']);
    expect(await toolsOf(`person=${ana.id}&integration=time`)).toEqual([]);
    expect(await toolsOf('success=true')).toEqual(['c', 'a']);
    expect((await ask('/api/audit')).body.entries).toEqual([]);
  });

  it('go on from page to page', async () => {
    const rows = Array.from({ length: AUDIT_PAGE + 5 }, () =>
      entry({ user_id: ana.id, integration: 'pages' }),
    );
    await app.deps.store.audit.append(rows);
    const path = '/api/admin/audit?integration=pages';
    const first = (await ask(path)).body;
    const second = (await ask(`${path}&cursor=${first.nextCursor}`)).body;
    expect([first.entries.length, second.entries.length]).toEqual([AUDIT_PAGE, 5]);
    expect(second).not.toHaveProperty('nextCursor');
  });

  it.each(['person=', 'person=%00', `person=${'x'.repeat(101)}`, 'cursor=x', 'success=maybe'])(
    'answer 400 for %s',
    async (query) => {
      expect((await ask(`/api/admin/audit?${query}`)).status).toBe(400);
    },
  );
});

describe('the OAuth clients of integrations', () => {
  it('are listed with where they come from, without a secret', async () => {
    const { registeredClients, store } = app.deps;
    await registeredClients.save('github', {
      clientId: 'from-portal',
      clientSecret: 'secret-2',
      instances: {},
    });
    await store.providerClients.put({ integration: 'slack', sealed_client: 'v1.damaged', updated_at: 1 });
    const { status, body } = await ask('/api/admin/clients');
    expect([status, body]).toEqual([
      200,
      {
        clients: [
          { integration: 'github', clientId: 'from-portal', source: 'portal' },
          { integration: 'slack', clientId: null, source: 'portal' },
          { integration: 'vaulted', clientId: 'from-environment', source: 'environment' },
        ],
      },
    ]);
  });
});

describe('registered clients', () => {
  const soon = () => app.clock.now() + 600;

  it('are listed with how many people they hold a token of, and deleted with all of them', async () => {
    const { store } = app.deps;
    const agent = client({ client_id: 'a-1', client_name: 'Editor', created_at: 7 });
    await store.clients.put(agent);
    await store.clients.register(client({ client_id: 'a-2' }), 1);
    for (const { id } of [ana, ana, bea])
      await putToken(store, token({ user_id: id, client_id: 'a-1', expires_at: soon() }));
    const expired = token({ user_id: admin.id, client_id: 'a-1', expires_at: app.clock.now() });
    await putToken(store, expired);
    await store.policies.putGrant(grant({ user_id: ana.id, client_id: 'a-1', last_used_at: 11 }));
    await store.policies.putGrant(grant({ user_id: bea.id, client_id: 'a-1', last_used_at: 12 }));
    const granted = code({ user_id: ana.id, client_id: 'a-1' });
    await store.codes.put(granted);
    // A client that nobody has let in is not listed.
    expect((await ask('/api/admin/agents')).body).toEqual({
      agents: [{ id: 'a-1', name: 'Editor', people: 2, createdAt: 7, lastUsedAt: 12 }],
    });
    expect((await ask('/api/admin/agents/a-1', 'DELETE', admin.keyHeader)).status).toBe(403);
    expect(await ask('/api/admin/agents/a-1', 'DELETE')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await ask('/api/admin/agents')).body).toEqual({ agents: [] });
    for (const { id } of [ana, bea]) expect(await store.refreshTokens.list(id, app.clock.now())).toEqual([]);
    expect((await ask('/api/admin/agents/a-1', 'DELETE')).status).toBe(404);
    expect((await ask('/api/admin/agents/%00', 'DELETE')).status).toBe(404);
    expect(app.lines).toContainEqual({
      level: 'info',
      event: 'a registered client was deleted',
      user: admin.id,
      client: 'a-1',
    });
  });

  it('go on from page to page, and answer 400 for a bad cursor', async () => {
    for (let each = 0; each < 101; each++)
      await app.deps.store.clients.put(
        client({ client_id: `https://c.example/${String(each).padStart(3, '0')}` }),
      );
    const first = (await ask('/api/admin/agents')).body;
    const second = (await ask(`/api/admin/agents?cursor=${first.nextCursor}`)).body;
    expect([first.agents.length, second.agents.length]).toEqual([100, 1]);
    expect(second.agents[0].id).toBe('https://c.example/100');
    expect((await ask('/api/admin/agents?cursor=!')).status).toBe(400);
    const path = `/api/admin/agents/${encodeURIComponent('https://c.example/100')}`;
    expect((await ask(path, 'DELETE')).status).toBe(200);
  });
});
