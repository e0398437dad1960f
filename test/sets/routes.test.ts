// Tests /api/sets: who makes, sees, changes and deletes a set. reference: Sets
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallWorld } from '../support/fixtures.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { makeKey, send, setRules } from '../support/policy.ts';
import { callSet, listSet, makeSet, setRpc } from '../support/sets.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let ben: TestUser;
let adam: TestUser;

beforeAll(async () => {
  app = await createTestApp({ env: PROVIDER, ports: { integrations: smallWorld } });
  ana = await app.user('ana@example.com');
  ben = await app.user('ben@example.com');
  adam = await userWithRole(app, 'adam@example.com', 'administrator');
});
afterAll(() => app.close());

const api = (who: TestUser, method: string, path: string, body?: object) =>
  send(app, who.sessionHeader, method, path, body);

describe('a set of a person', () => {
  it('is shown to its person, with what became of each tool', async () => {
    const eva = await app.user('eva@example.com');
    await makeSet(app, ana, 'mine', []);
    const made = await api(eva, 'POST', '/api/sets', {
      name: 'mine',
      tools: ['shout', 'keyed_whoami', 'time_now'],
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'mine',
        title: 'mine',
        description: '',
        for: 'me',
        url: 'http://localhost:3000/mcp/sets/mine',
        tools: ['shout', 'keyed_whoami', 'time_now'],
      },
    });
    await setRules(app, eva, [{ tool: 'shout', decision: 'block' }]);
    const { body } = await api(eva, 'GET', '/api/sets/mine');
    expect(body.listed).toEqual([
      expect.objectContaining({ name: 'shout', state: 'blocked', access: 'read', connected: true }),
      expect.objectContaining({ name: 'keyed_whoami', state: 'listed', connected: false }),
      expect.objectContaining({ name: 'time_now', state: 'listed', integration: 'time' }),
    ]);
    expect(body.size.tokens).toBeGreaterThan(50);
    expect((await api(eva, 'GET', '/api/sets')).body.sets).toHaveLength(1);
  });

  it('refuses what it cannot be', async () => {
    const refused = async (form: object) => (await api(ana, 'POST', '/api/sets', form)).body.error;
    expect(await refused({ name: 'Not Good', tools: [] })).toMatch(/^name: must be 1 to 48/);
    expect(await refused({ name: 'a', tools: ['nothing_here'] })).toMatch(
      /^tools: You have no tool "nothing_here"/,
    );
    expect(await refused({ name: 'a', tools: ['shout', 'shout'] })).toMatch(/^tools: each tool once/);
    const many = Array.from({ length: 65 }, (_, at) => `tool_${at}`);
    expect(await refused({ name: 'a', tools: many })).toMatch(/^tools: at most 64 tools/);
    expect(await refused({ name: 'mine', tools: [] })).toMatch(/^There is a set "mine" already/);
    expect(await refused({ name: 'a', tools: [], extra: 1 })).toMatch(/extra/);
  });

  it('changes for the next request, and keeps its name', async () => {
    await makeSet(app, ana, 'changes', ['shout']);
    const changed = await api(ana, 'PATCH', '/api/sets/changes', { title: 'T', tools: ['time_now'] });
    expect(changed.body).toMatchObject({ name: 'changes', title: 'T', tools: ['time_now'] });
    expect((await listSet(app, ana.keyHeader, 'changes')).map(({ name }) => name)).toEqual([
      'time_now',
      'read_result',
    ]);
    expect((await api(ana, 'PATCH', '/api/sets/changes', { name: 'x' })).status).toBe(400);
    expect((await api(ana, 'DELETE', '/api/sets/changes')).status).toBe(200);
    expect((await setRpc(app, ana.keyHeader, 'changes', 'tools/list')).status).toBe(404);
  });

  it('is not there for anybody else, on every door', async () => {
    await makeSet(app, ana, 'private', ['shout']);
    const doors = (name: string) => [
      send(app, ben.sessionHeader, 'GET', `/api/sets/${name}`),
      send(app, ben.sessionHeader, 'GET', `/api/sets/${name}?for=me`),
      send(app, ben.sessionHeader, 'GET', `/api/sets/${name}?for=everyone`),
      send(app, ben.sessionHeader, 'PATCH', `/api/sets/${name}`, { title: 'x' }),
      send(app, ben.sessionHeader, 'DELETE', `/api/sets/${name}`),
      send(app, adam.sessionHeader, 'GET', `/api/sets/${name}`),
      send(app, adam.sessionHeader, 'DELETE', `/api/sets/${name}`),
      send(app, ben.keyHeader, 'GET', `/api/sets/${name}/functions?for=openai`),
      send(app, ben.keyHeader, 'GET', `/sets/${name}/openapi.json`),
      send(app, ben.keyHeader, 'POST', `/sets/${name}/tools/shout`, { text: 'x' }),
      setRpc(app, ben.keyHeader, name, 'tools/list').then(({ status, body }) => ({ status, body })),
      setRpc(app, ben.keyHeader, name, 'tools/call', { name: 'shout', arguments: { text: 'x' } }).then(
        ({ status, body }) => ({ status, body }),
      ),
    ];
    const foreign = await Promise.all(doors('private'));
    for (const { status } of foreign) expect(status).toBe(404);
    const withoutName = JSON.stringify(await Promise.all(doors('unknown'))).replaceAll('unknown', 'private');
    expect(JSON.stringify(foreign)).toBe(withoutName);
    expect((await api(ben, 'GET', '/api/sets')).body.sets).toEqual([]);
    // The name is free for Ben, and his set is his.
    await makeSet(app, ben, 'private', ['time_now']);
    expect((await listSet(app, ben.keyHeader, 'private'))[0]?.name).toBe('time_now');
    expect((await listSet(app, ana.keyHeader, 'private'))[0]?.name).toBe('shout');
    await api(ben, 'DELETE', '/api/sets/private');
    expect((await listSet(app, ana.keyHeader, 'private'))[0]?.name).toBe('shout');
  });

  it('is not for named keys to change', async () => {
    const { header } = await makeKey(app, ana);
    expect((await send(app, header, 'GET', '/api/sets')).status).toBe(403);
    expect((await send(app, header, 'POST', '/api/sets', { name: 'k', tools: [] })).status).toBe(403);
  });
});

describe('a set of the team', () => {
  it('is made by an administrator in the portal, and used by everybody', async () => {
    const form = { name: 'team', tools: ['shout'], for: 'everyone' };
    expect((await api(ben, 'POST', '/api/sets', form)).status).toBe(403);
    expect((await send(app, adam.keyHeader, 'POST', '/api/sets', form)).status).toBe(403);
    expect((await api(adam, 'POST', '/api/sets', form)).status).toBe(201);
    expect(await callSet(app, ben.keyHeader, 'team', 'shout', { text: 'a' })).toEqual({
      content: [{ type: 'text', text: 'A' }],
    });
    expect((await api(ben, 'GET', '/api/sets/team')).body).toMatchObject({ for: 'everyone' });
    for (const method of ['PATCH', 'DELETE'])
      expect((await api(ben, method, '/api/sets/team', method === 'PATCH' ? {} : undefined)).status).toBe(
        403,
      );
    expect((await api(ben, 'POST', '/api/sets', { name: 'team', tools: [] })).status).toBe(409);
  });

  it('shows a person only their own callers', async () => {
    await callSet(app, ana.keyHeader, 'team', 'shout', { text: 'a' });
    const { body } = await api(ana, 'GET', '/api/sets/team');
    expect(body.uses).toHaveLength(1);
    expect((await api(adam, 'GET', '/api/sets/team')).body.uses).toEqual([]);
  });

  it('comes after an own set with its name, and ?for chooses', async () => {
    await makeSet(app, ana, 'later', ['time_now']);
    await makeSet(app, adam, 'later', ['shout'], { for: 'everyone' });
    expect((await api(ana, 'GET', '/api/sets/later')).body.for).toBe('me');
    expect((await api(ana, 'GET', '/api/sets/later?for=everyone')).body.tools).toEqual(['shout']);
    expect((await listSet(app, ana.keyHeader, 'later'))[0]?.name).toBe('time_now');
  });
});
