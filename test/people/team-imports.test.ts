// Tests that an import for everyone can be connected once for the team. reference: Team connections; Imports
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVERYONE } from '../../src/ports/store.ts';
import { type ChangingServer, startChangingServer, tool } from '../support/changing-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const AUTH = { type: 'headers', headers: { Authorization: 'Bearer {token}' } };
const PATH = '/api/admin/team-connections/acme';
const TOOLS = [
  tool('get', { annotations: { readOnlyHint: true } }),
  tool('post', { annotations: { destructiveHint: false } }),
];

let app: TestApp;
let server: ChangingServer;
let root: TestUser;
let owner: ImportUser;
let bea: TestUser;
let member: ImportUser;

beforeEach(async () => {
  app = await createTestApp();
  server = await startChangingServer(TOOLS, { tokens: ['team-token', 'own-token'] });
  root = await app.user('owner@localhost');
  owner = createImportUser(app, root);
  bea = await app.user('bea@example.com');
  member = createImportUser(app, bea);
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  await server.close();
});

/** Asks as the administrator in the portal. */
async function administer(method: string, path: string, body?: unknown): Promise<number> {
  const headers = { ...root.sessionHeader, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await app.request(path, { method, headers, ...init })).status;
}
const connectTeam = () =>
  administer('POST', '/api/auth/apikey/acme', { values: { token: 'team-token' }, for: 'team' });

describe('an import for everyone', () => {
  it('is listed and called with the credential of the team, by each person for themselves', async () => {
    await owner.add({ address: server.address, auth: AUTH, for: 'everyone' });
    expect(await connectTeam()).toBe(200);
    expect((await owner.get()).tools).toHaveLength(2);
    expect(await member.run('acme_get')).toMatchObject({ error: 'NOT_CONNECTED' });
    expect(await administer('PATCH', PATH, { who: 'everyone' })).toBe(200);
    for (const person of [member, owner])
      expect(await person.run('acme_get')).toMatchObject({ account: 'team', result: 'get for team-token' });
    expect(await member.run('acme_post')).toMatchObject({ error: 'BLOCKED', account: 'team' });
    await member.connect({ token: 'own-token' });
    expect(await member.run('acme_get')).toEqual({ result: 'get for own-token' });
    expect(await member.run('acme_post')).toEqual({ result: 'post for own-token' });
    expect(await member.run('acme_get', {}, { account: 'team' })).toMatchObject({ account: 'team' });
    expect(await administer('DELETE', PATH)).toBe(200);
    expect(await owner.run('acme_get')).toMatchObject({ error: 'NOT_CONNECTED' });
    expect(await member.run('acme_get')).toEqual({ result: 'get for own-token' });
  });

  it('takes the connection with it, and a rule never holds for another import of its name', async () => {
    await owner.add({ address: server.address, auth: AUTH, for: 'everyone' });
    await connectTeam();
    await administer('PATCH', PATH, { who: 'everyone', access: 'destroy' });
    expect((await owner.send('DELETE', '/api/imports/acme')).status).toBe(200);
    expect(await app.deps.store.connections.list(EVERYONE)).toEqual([]);
    expect(await app.deps.store.team.rules()).toEqual([]);
    await member.add({ address: server.address, auth: AUTH });
    expect(await member.run('acme_get')).toMatchObject({ error: expect.any(String) });
    await member.send('DELETE', '/api/imports/acme');
    await owner.add({ address: server.address, auth: AUTH, for: 'everyone' });
    await connectTeam();
    expect(await member.run('acme_get')).toMatchObject({ error: 'NOT_CONNECTED' });
    expect(server.calls).toEqual([]);
  });

  it('is the only one that the team can have: an own import is 400', async () => {
    await owner.add({ address: server.address, auth: AUTH });
    expect(await connectTeam()).toBe(400);
  });
});
