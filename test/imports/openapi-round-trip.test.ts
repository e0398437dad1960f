// Imports OpenAPI descriptions of running services and calls their operations over sockets.
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { afterEach, describe, expect, it } from 'vitest';
import { callOperation } from '../../src/imports/openapi/call-operation.ts';
import { readRecipe } from '../../src/imports/openapi/stored-recipe.ts';
import { readOpenApi } from '../../src/imports/openapi/read.ts';
import { closeAll, listen, open } from '../support/egress-door.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { call as callMeta } from '../support/mcp.ts';
import { createTestApp } from '../support/test-app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await closeAll();
});

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const object = { type: 'object', properties: { R: { type: 'integer' }, G: { type: 'integer' } } };
const file = { type: 'string', format: 'binary' };
const parameter = (name: string, place: string, schema: object, more: object = {}) => ({
  name,
  in: place,
  required: place === 'path',
  schema,
  ...more,
});
const body = (type: string, schema: object, more: object = {}) => ({
  requestBody: { required: true, content: { [type]: { schema, ...more } } },
});
const operation = (operationId: string, more: object = {}) => ({
  operationId,
  responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
  ...more,
});

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Echo', version: '1' },
  servers: [{ url: '/api' }],
  paths: {
    '/styles/{label}/{matrix}/{simple}': {
      get: operation('styles', {
        parameters: [
          parameter('label', 'path', texts, { style: 'label', explode: true }),
          parameter('matrix', 'path', texts, { style: 'matrix', explode: true }),
          parameter('simple', 'path', object, { explode: true }),
          parameter(
            'deep',
            'query',
            { type: 'object', properties: { a: text, b: texts } },
            { style: 'deepObject', explode: true },
          ),
          parameter('pipes', 'query', texts, { style: 'pipeDelimited', explode: false }),
          parameter('spaces', 'query', texts, { style: 'spaceDelimited', explode: false }),
          parameter('csv', 'query', texts, { explode: false }),
          parameter('multi', 'query', texts),
          parameter('color', 'query', object),
          parameter('page', 'query', {
            type: 'object',
            properties: { size: { type: 'integer' }, sort: texts },
          }),
          { name: 'json', in: 'query', content: { 'application/json': { schema: object } } },
          parameter('X-Ids', 'header', { type: 'array', items: { type: 'integer' } }),
          parameter('theme', 'cookie', text),
        ],
      }),
    },
    '/upload': {
      post: operation('upload', {
        ...body(
          'multipart/form-data',
          {
            type: 'object',
            properties: { title: text, meta: object, image: file, notes: { type: 'array', items: file } },
          },
          { encoding: { notes: { contentType: 'text/markdown' } } },
        ),
      }),
    },
    '/form': {
      post: operation('form', {
        ...body(
          'application/x-www-form-urlencoded',
          { type: 'object', properties: { a: text, list: texts, deep: object } },
          { encoding: { deep: { style: 'deepObject', explode: true } } },
        ),
      }),
    },
    '/raw': { put: operation('raw', body('application/octet-stream', file)) },
    '/text': { post: operation('text', body('text/plain', text)) },
    '/download': { get: operation('download') },
    '/empty': { delete: operation('empty') },
    '/problem': { get: operation('problem') },
  },
};

function echo(): Hono {
  const app = new Hono().basePath('/api');
  app.get('/styles/:label/:matrix/:simple', (c) =>
    c.json({
      path: new URL(c.req.url).pathname.split('/').slice(3).map(decodeURIComponent),
      query: Object.fromEntries(new URL(c.req.url).searchParams),
      multi: c.req.queries('multi'),
      sort: c.req.queries('sort'),
      ids: c.req.header('x-ids'),
      theme: getCookie(c, 'theme'),
    }),
  );
  app.post('/upload', async (c) => {
    const form = await c.req.formData();
    const shown = [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, [...(await value.bytes())].join(' ')],
    );
    return c.json(await Promise.all(shown));
  });
  app.post('/form', async (c) => c.json([...(await c.req.formData())]));
  app.put('/raw', async (c) =>
    c.json({ type: c.req.header('content-type'), bytes: [...new Uint8Array(await c.req.arrayBuffer())] }),
  );
  app.post('/text', async (c) => c.text((await c.req.text()).toUpperCase()));
  app.get('/download', (c) => c.body(new Uint8Array([1, 0, 2]), 200, { 'content-type': 'application/zip' }));
  app.delete('/empty', (c) => c.body(null, 204));
  app.get('/problem', (c) =>
    c.json({ title: 'Conflict', detail: 'It changed meanwhile.' }, 409, {
      'content-type': 'application/problem+json',
    }),
  );
  return app;
}

const serve = (fetch: (request: Request) => Response | Promise<Response>) => {
  const answer = getRequestListener(fetch);
  return listen((request, response) => void answer(request, response));
};

async function importEcho() {
  const { url } = await serve((request) => echo().fetch(request));
  const { egress } = open({ loopback: true });
  const { base = '', tools } = await readOpenApi(JSON.stringify(DESCRIPTION), {
    address: `${url}/openapi.json`,
  });
  const files = createMemoryFiles();
  const call = (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    const recipe = tools.find((tool) => tool.name === name)?.operation;
    if (recipe === undefined) throw new Error(`no tool ${name}`);
    return callOperation(readRecipe(recipe), args, {
      base,
      files,
      send: (to, init) => egress.fetch(to, init),
    });
  };
  return { call, files };
}

describe('a service that reads every style and body', () => {
  it('gets all parameters', async () => {
    const { call } = await importEcho();
    const answer = await call('styles', {
      label: ['a', 'b/c'],
      matrix: ['x', 'ü'],
      simple: { R: 1, G: 2 },
      deep: { a: 'b & c', b: ['d', 'e'] },
      pipes: ['p', 'q'],
      spaces: ['s', 't'],
      csv: ['c', 'v'],
      multi: ['m', 'n'],
      color: { R: 3 },
      // As Spring's `Pageable` is described: each order is a value of its own.
      page: { size: 20, sort: ['name,desc', 'id'] },
      json: { G: 4 },
      'X-Ids': [1, 2],
      theme: 'dark; blue',
    });
    expect(answer).toEqual({
      path: ['.a.b/c', ';matrix=x;matrix=ü', 'R=1,G=2'],
      query: {
        'deep[a]': 'b & c',
        'deep[b][]': 'e',
        pipes: 'p|q',
        spaces: 's t',
        csv: 'c,v',
        multi: 'n',
        R: '3',
        size: '20',
        sort: 'id',
        json: '{"G":4}',
      },
      multi: ['m', 'n'],
      sort: ['name,desc', 'id'],
      ids: '1,2',
      theme: 'dark; blue',
    });
  });

  it('gets files of multipart by their handles', async () => {
    const { call, files } = await importEcho();
    const { handle } = await files.save({
      bytes: new Uint8Array([0, 13, 10, 255]),
      name: 'ü.png',
      mimeType: 'image/png',
    });
    const answer = await call('upload', {
      title: 'two words',
      meta: { R: 1 },
      image: `file:${handle}`,
      notes: ['#', 'b'],
    });
    expect(answer).toEqual([
      ['title', 'two words'],
      ['meta', '{"R":1}'],
      ['image', 'ü.png', 'image/png', '0 13 10 255'],
      ['notes', 'notes', 'text/markdown', '35'],
      ['notes', 'notes', 'text/markdown', '98'],
    ]);
  });

  it('gets forms, bytes and texts', async () => {
    const { call, files } = await importEcho();
    expect(await call('form', { a: 'b&c', list: ['1', '2'], deep: { R: 5 } })).toEqual([
      ['a', 'b&c'],
      ['list', '1'],
      ['list', '2'],
      ['deep[R]', '5'],
    ]);
    const { handle } = await files.save({ bytes: new Uint8Array([7, 0]), name: 'a', mimeType: '' });
    expect(await call('raw', { body: `file:${handle}` })).toEqual({
      type: 'application/octet-stream',
      bytes: [7, 0],
    });
    expect(await call('text', { body: 'grün' })).toBe('GRÜN');
  });

  it('answers files, nothing and problems', async () => {
    const { call } = await importEcho();
    expect(await call('download')).toMatchObject({
      mimeType: 'application/zip',
      file: { name: 'download', bytes: 3 },
    });
    expect(await call('empty')).toEqual({});
    await expect(call('problem')).rejects.toThrow('409: It changed meanwhile.');
  });
});

describe("the gateway's own description", () => {
  it('is imported into another gateway and called there', async () => {
    const own = await createTestApp();
    closing.push(() => own.close());
    const ben = await own.user('ben@example.com');
    const { url } = await serve(own.fetch);
    const other = await createTestApp();
    closing.push(() => other.close());
    const ana = await other.user('owner@localhost');
    const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
    const post = async (path: string, given: object) =>
      other.request(path, { method: 'POST', headers, body: JSON.stringify(given) });
    const imported = await post('/api/imports', {
      address: `${url}/openapi.json`,
      kind: 'openapi',
      name: 'own',
      base: url,
      auth: { type: 'headers', headers: { 'x-service-api-key': '{key}' } },
    });
    expect(imported.status, await imported.text()).toBe(201);
    const connected = await post('/api/auth/apikey/own', { values: { key: ben.apiKey } });
    expect(connected.status, await connected.text()).toBe(200);
    const run = async (tool: string, args: object) =>
      (await callMeta(other, ana.keyHeader, 'execute_tools', { executions: [{ tool, args }] })).results[0];
    expect(await run('own_get_me', {})).toMatchObject({ result: { email: 'ben@example.com' } });
    const asked = { integration: 'time', tool: 'time_now', select: 'weekday', body: { timeZone: 'UTC' } };
    expect(await run('own_execute_tool', asked)).toMatchObject({
      result: { integration: 'time', tool: 'time_now', result: 'Friday' },
    });
    expect(await run('own_get_integration', { integration: 'nothing' })).toMatchObject({
      error: expect.stringContaining('404'),
    });
  });
});

describe('a credential in the query', () => {
  it('is added without changing how the parameters are written', async () => {
    const seen: (string | undefined)[] = [];
    const { url } = await listen((request, response) => {
      seen.push(request.url);
      response.end('{}');
    });
    const app = await createTestApp();
    closing.push(() => app.close());
    const ana = await app.user('owner@localhost');
    const post = (path: string, given: object) =>
      app.request(path, {
        method: 'POST',
        headers: { ...ana.keyHeader, 'content-type': 'application/json' },
        body: JSON.stringify(given),
      });
    const document = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Lists', version: '1' },
      servers: [{ url }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'token' } } },
      security: [{ key: [] }],
      paths: {
        '/things': {
          get: operation('things', { parameters: [parameter('ids', 'query', texts, { explode: false })] }),
        },
      },
    });
    expect((await post('/api/imports', { document, name: 'lists' })).status).toBe(201);
    expect((await post('/api/auth/apikey/lists', { values: { api_key: 's e&cret' } })).status).toBe(200);
    const executions = [{ tool: 'lists_things', args: { ids: ['1', '2 3'] } }];
    const { results } = await callMeta(app, ana.keyHeader, 'execute_tools', { executions });
    expect(results[0]).toMatchObject({ result: {} });
    expect(seen).toEqual(['/things?ids=1,2%203&token=s%20e%26cret']);
  });
});
