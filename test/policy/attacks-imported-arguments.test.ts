// Attacks by the arguments of an imported operation: they name another method or another path than those of the operation.
// decision: 038; decision: 046
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { importAsPerson, sendAs } from '../support/imported-shop.ts';
import { openStage, type Stage } from '../support/proxy-stage.ts';
import { auditOf, putRules } from '../support/raw-policy.ts';
import type { TestUser } from '../support/test-app.ts';

const OVERRIDES = ['X-HTTP-Method-Override', 'X-Original-URL', 'X_Forwarded_For', 'X-Real-IP'];
const FREE_FORM = { type: 'object', additionalProperties: true };
const text = { type: 'string' };
const responses = { 200: { description: 'Done' } };
const inHeader = (name: string) => ({ name, in: 'header', schema: text });
const inQuery = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const id = { name: 'id', in: 'path', required: true, schema: text };
const post = (operationId: string, type: string, schema: object) => ({
  post: { operationId, requestBody: { content: { [type]: { schema } } }, responses },
});
const FORM = 'application/x-www-form-urlencoded';

const SERVICE = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [{ url: 'https://vaulted.example' }],
  paths: {
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        parameters: [id, ...OVERRIDES.map(inHeader), inHeader('X-Trace')],
        responses,
      },
      delete: { operationId: 'dropItem', parameters: [id], responses },
    },
    '/items': {
      post: {
        operationId: 'addItem',
        parameters: [inQuery('_method'), inQuery('page'), { ...inQuery('filter', FREE_FORM), explode: true }],
        responses,
      },
    },
    '/free': post('sendForm', FORM, FREE_FORM),
    '/fields': post('sendFields', FORM, {
      type: 'object',
      additionalProperties: false,
      properties: { _method: text, name: text },
    }),
    '/written': post('sendText', FORM, text),
    '/parts': post('sendParts', 'multipart/form-data', FREE_FORM),
    '/bytes': post('sendBytes', '*/*', { type: 'string', format: 'binary' }),
    '/json': post('sendJson', 'application/json', FREE_FORM),
  },
};

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  await importAsPerson(stage, stage.ana, {}, SERVICE);
});
afterEach(async () => {
  await putRules(stage, []);
  stage.seen.length = 0;
});
afterAll(() => stage.close());

const run = (tool: string, args: object, who: Pick<TestUser, 'keyHeader'> = stage.ana, on = stage) =>
  sendAs(on, who.keyHeader, 'POST', '/rest/shop', { tool: `shop_${tool}`, args });

describe('a header that names another request', () => {
  it.each(OVERRIDES)('is no argument: %s', async (name) => {
    for (const argument of [name, name.toLowerCase(), name.replaceAll('-', '_')])
      expect((await run('get_item', { id: '1', [argument]: 'DELETE' })).status).toBe(400);
    expect(stage.seen).toEqual([]);
  });

  it('takes no other header with it', async () => {
    expect((await run('get_item', { id: '1', 'X-Trace': 'a' })).status).toBe(200);
    expect(stage.seen[0]?.headers).toMatchObject({ 'x-trace': 'a' });
  });
});

const CALLS: [string, string, object][] = [
  ['a parameter of the query', 'add_item', { method: 'DELETE' }],
  ['a member of an object in the query', 'add_item', { filter: { _method: 'DELETE' } }],
  ['a member whose name PHP reads as another', 'add_item', { filter: { '.method': 'DELETE' } }],
  ['a form that is not described', 'send_form', { body: { _method: 'DELETE' } }],
  ['a field of a form', 'send_fields', { method: 'DELETE' }],
  ['a form that the caller writes', 'send_text', { body: 'a=1&%5Fmethod=DELETE' }],
  ['a part of a form', 'send_parts', { body: { 'x-http-method-override': 'DELETE' } }],
  ['a file that may be a form', 'send_bytes', { body: '_method=DELETE' }],
];
const PLAIN: [string, string, object][] = [
  ['without such a parameter', 'add_item', { page: '2', filter: { a: '1' } }],
  ['of another form', 'send_form', { body: { name: '_method' } }],
  ['of another field', 'send_fields', { name: 'a' }],
  ['of another text', 'send_text', { body: 'a=_method' }],
  ['of other parts', 'send_parts', { body: { name: 'a' } }],
  ['of JSON', 'send_json', { body: { _method: 'DELETE' } }],
];

describe('a POST that may be taken for a DELETE', () => {
  it.each(CALLS)('is blocked with deletions: %s', async (_name, tool, args) => {
    await putRules(stage, [{ access: 'destroy', decision: 'block' }]);
    expect(await run(tool, args)).toMatchObject({ status: 403, body: { error: 'BLOCKED' } });
    expect(stage.seen).toEqual([]);
  });

  it('is blocked with the tool that deletes, also when that one is left out', async () => {
    await putRules(stage, [{ tool: 'shop_drop_item', decision: 'block' }]);
    expect((await run('send_form', { body: { _method: 'DELETE' } })).status).toBe(403);
    const change = (body: object) =>
      sendAs(stage, stage.ana.sessionHeader, 'PATCH', '/api/imports/shop', body);
    expect((await change({ exclude: ['shop_drop_item'] })).status).toBe(200);
    expect((await run('send_form', { body: { _method: 'DELETE' } })).status).toBe(403);
    expect((await change({ exclude: [] })).status).toBe(200);
    expect(stage.seen).toEqual([]);
  });

  it('is asked about and audited as a deletion', async () => {
    expect((await run('send_form', { body: { _method: 'DELETE' } })).status).toBe(200);
    expect((await auditOf(stage, stage.ana.id))[0]).toMatchObject({ access: 'destroy' });
    await putRules(stage, [{ access: 'destroy', decision: 'ask' }]);
    expect(await run('send_form', { body: { _method: 'DELETE' } })).toMatchObject({
      status: 409,
      body: { error: 'APPROVAL_REQUIRED' },
    });
  });

  it.each(PLAIN)('is no call %s', async (_name, tool, args) => {
    await putRules(stage, [{ access: 'destroy', decision: 'block' }]);
    expect((await run(tool, args)).status).toBe(200);
    expect((await auditOf(stage, stage.ana.id))[0]).toMatchObject({ access: 'write' });
  });

  it('is above the ceiling of a team connection that may change things', async () => {
    const team = await openStage();
    const owner = await team.app.user('owner@localhost');
    const bea = await team.app.user('bea@example.com');
    await importAsPerson(team, owner, { for: 'everyone' }, SERVICE);
    const administer = (method: string, path: string, body: object) =>
      sendAs(team, owner.sessionHeader, method, path, body);
    await administer('POST', '/api/auth/apikey/shop', { values: { key: 'TEAM-SECRET' }, for: 'team' });
    await administer('PATCH', '/api/admin/team-connections/shop', { access: 'write', who: 'everyone' });
    expect((await run('send_form', { body: { _method: 'DELETE' } }, bea, team)).status).toBe(403);
    expect((await run('get_item', { id: '1', 'X-HTTP-Method-Override': 'DELETE' }, bea, team)).status).toBe(
      400,
    );
    expect((await run('send_form', { body: { name: 'a' } }, bea, team)).status).toBe(200);
    expect(team.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /free']);
    await team.close();
  });
});
