// Tests that what a person has said an imported operation does holds for its raw request too. reference: Rules
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { importAsPerson, sendAs } from '../support/imported-shop.ts';
import { call } from '../support/mcp.ts';
import { bearer, openStage, type Stage } from '../support/proxy-stage.ts';
import { putRules } from '../support/raw-policy.ts';

const REMOVES = { access: { shop_remove_item: 'destroy' } };
/** How servers read the path of the same operation. */
const SPELLINGS = [
  '/items/1/delete',
  '/items/a%2Fb/delete',
  '/items/1/%64elete',
  '/items/1/%2564elete',
  '/items%2F1%2Fdelete',
  '/items/1/Delete/',
  '/items/1//delete',
  '/items/1/delete.json',
  '/items/1;v=2/delete;jsessionid=3',
];
const OTHERS = ['/items/1', '/items/delete', '/items/1/delete/2', '/items/1/undelete'];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  await importAsPerson(stage, stage.ana, REMOVES);
});
afterEach(async () => {
  await putRules(stage, []);
  stage.seen.length = 0;
});
afterAll(() => stage.close());

const statusOf = async (token: string, path: string, method = 'GET') => {
  const response = await stage.get(`/c/shop${path}`, { method, headers: bearer(token) });
  await response.text();
  return response.status;
};
const tokenFor = (limits: object[] = []) =>
  stage.token({ integrations: ['shop'], actor: { ...PERSONAL_KEY, limits } });

describe('a GET that a person has said deletes', () => {
  it.each(SPELLINGS)('is none of a key that may only read: %s', async (path) => {
    const reader = await tokenFor([{ access: 'read' }]);
    expect([await statusOf(reader, path), await statusOf(reader, path, 'HEAD')]).toEqual([403, 403]);
    expect(stage.seen).toEqual([]);
  });

  it.each(OTHERS)('is another request than %s', async (path) => {
    expect(await statusOf(await tokenFor([{ access: 'read' }]), path)).toBe(200);
  });

  it('is blocked by a rule for deletions', async () => {
    await putRules(stage, [{ access: 'destroy', decision: 'block' }]);
    expect(await statusOf(await tokenFor(), '/items/1/delete')).toBe(403);
    expect(await statusOf(await tokenFor(), '/items/1')).toBe(200);
    expect(stage.seen.map(({ url }) => url)).toEqual(['/items/1']);
  });

  it('still reads as well, so a rule for reading holds for it', async () => {
    await putRules(stage, [{ access: 'read', decision: 'block' }]);
    expect(await statusOf(await tokenFor(), '/items/1/delete')).toBe(403);
  });

  it('is sent for a caller that may delete', async () => {
    expect(await statusOf(await tokenFor([{ access: 'destroy' }]), '/items/1/delete')).toBe(200);
  });

  it('stays one when the import leaves the tool out', async () => {
    const change = (body: object) =>
      sendAs(stage, stage.ana.sessionHeader, 'PATCH', '/api/imports/shop', body);
    expect((await change({ exclude: ['shop_remove_item'] })).status).toBe(200);
    expect(await statusOf(await tokenFor([{ access: 'read' }]), '/items/1/delete')).toBe(403);
    expect((await change({ exclude: [] })).status).toBe(200);
  });
});

it('finds the path of an operation that has a base of its own', async () => {
  const { ana, app } = stage;
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const servers = [{ url: 'https://vaulted.example/v2' }];
  const drop = { operationId: 'drop', servers, parameters: [id], responses: {} };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Depot', version: '1' },
    servers: [{ url: 'https://vaulted.example' }, ...servers],
    paths: { '/drop/{id}': { get: drop } },
  };
  const auth = { type: 'headers', headers: { 'X-Key': '{key}' } };
  const form = { name: 'depot', document: JSON.stringify(document), auth, access: { depot_drop: 'write' } };
  expect((await sendAs(stage, ana.sessionHeader, 'POST', '/api/imports', form)).status).toBe(201);
  await sendAs(stage, ana.sessionHeader, 'POST', '/api/auth/apikey/depot', { values: { key: 'k' } });
  const { token } = await call(app, ana.keyHeader, 'curl_session', { integrations: ['depot'] });
  await putRules(stage, [{ access: 'write', decision: 'block' }]);
  const ask = async (path: string) => (await stage.get(`/c/depot${path}`, { headers: bearer(token) })).status;
  expect([await ask('/v2/drop/1'), await ask('/drop/1')]).toEqual([403, 200]);
});

it('holds for the ceiling of a team connection', async () => {
  const team = await openStage();
  const owner = await team.app.user('owner@localhost');
  const bea = await team.app.user('bea@example.com');
  await importAsPerson(team, owner, { ...REMOVES, for: 'everyone' });
  const administer = (method: string, path: string, body: object) =>
    sendAs(team, owner.sessionHeader, method, path, body);
  const values = { key: 'TEAM-SECRET' };
  await administer('POST', '/api/auth/apikey/shop', { values, for: 'team' });
  await administer('PATCH', '/api/admin/team-connections/shop', { access: 'read', who: 'everyone' });
  const { token } = await call(team.app, bea.keyHeader, 'curl_session', { integrations: ['shop'] });
  const ask = async (path: string) => (await team.get(`/c/shop${path}`, { headers: bearer(token) })).status;
  expect([await ask('/items/1/delete'), await ask('/items/1')]).toEqual([403, 200]);
  expect(team.seen.map(({ url, headers }) => [url, headers['x-key']])).toEqual([['/items/1', 'TEAM-SECRET']]);
  await team.close();
});
