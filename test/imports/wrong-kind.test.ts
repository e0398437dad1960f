// Adds services that say nothing but 401 to a stranger, so that they are taken for MCP servers, and connects them. reference: Imports
import { getRequestListener } from '@hono/node-server';
import { buildSchema, graphql } from 'graphql';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { describeService } from '../support/openapi-service.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const TOKEN = 'the-token-of-ana-0123456789';

let app: TestApp;
let ana: ImportUser;
let server: HttpServer;
/** What the service got, as method, path and whether it had the token. */
let asked: string[];

beforeEach(async () => {
  app = await createTestApp();
  ana = createImportUser(app, await app.user());
  server = await startHttpServer();
  asked = [];
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  await server.close();
});

/** Serves what answers only with the token. Returns its address. */
function serve(service: Hono): string {
  const locked = new Hono().use('/api', async (c, next) => {
    const hasToken = c.req.header('authorization') === `Bearer ${TOKEN}`;
    asked.push(`${c.req.method} ${c.req.path}${hasToken ? ' with the token' : ''}`);
    return hasToken ? next() : c.json({ errors: [{ message: 'Who are you?' }] }, 401);
  });
  const listener = getRequestListener(locked.route('/', service).fetch, { overrideGlobalObjects: false });
  server.answer((request, response) => void listener(request, response));
  return `http://127.0.0.1:${server.port}/api`;
}

const speakGraphql = () =>
  new Hono().post('/api', async (c) => {
    const { query = '' } = await c.req.json();
    if (query === '') return c.json({ errors: [{ message: 'Must provide query string.' }] }, 400);
    const schema = buildSchema('type Query { title: String }');
    return c.json(await graphql({ schema, source: query }));
  });

it('says that it is a GraphQL endpoint and what to do, when the person has connected it', async () => {
  const address = serve(speakGraphql());
  expect(await ana.preview({ address })).toMatchObject({ kind: 'mcp', listed: false });
  await ana.add({ address });
  await ana.connect({ token: TOKEN });
  const { checkError, tools } = await ana.get();
  expect([checkError, tools]).toEqual([
    'This is no MCP server. It is a GraphQL endpoint: delete the import and add it again with the kind graphql',
    [],
  ]);
  const { status, body } = await ana.send('POST', '/api/imports/acme/check');
  expect([status, body.error]).toEqual([502, checkError]);
});

it('works as the sentence says', async () => {
  const address = serve(speakGraphql());
  await ana.add({ address, kind: 'graphql' });
  await ana.connect({ token: TOKEN });
  expect(await ana.run('acme_query', { query: '{ title }' })).toHaveProperty('result');
  expect((await ana.send('POST', '/api/imports/acme/check')).status).toBe(200);
  expect(await ana.get()).toMatchObject({ checkError: null, tools: [{}, {}, {}] });
});

it('says that it is an OpenAPI description', async () => {
  const address = serve(new Hono().get('/api', (c) => c.json(describeService())));
  await ana.add({ address });
  await ana.connect({ token: TOKEN });
  expect((await ana.get()).checkError).toBe(
    'This is no MCP server. It is an OpenAPI description for people with a credential: delete the import, download the description and add that',
  );
});

it('keeps the words of the failure where the token is wrong, or where nothing is known', async () => {
  const address = serve(new Hono().all('*', (c) => c.text('graphql openapi: yes', 406)));
  await ana.add({ address });
  for (const token of ['another-token-of-nobody', TOKEN]) {
    await ana.connect({ token });
    const { checkError } = await ana.get();
    expect(checkError).not.toBeNull();
    expect(checkError).not.toMatch(/This is no MCP server/);
  }
});

it('asks the address of the import alone with the token', async () => {
  const elsewhere = await startHttpServer();
  let reached = 0;
  elsewhere.answer((_, response) => {
    reached++;
    response.end('{}');
  });
  const address = serve(
    new Hono().all('/api', (c) => c.redirect(`http://127.0.0.1:${elsewhere.port}/api`, 307)),
  );
  await ana.add({ address });
  await ana.connect({ token: TOKEN });
  expect((await ana.get()).checkError).not.toMatch(/This is no MCP server/);
  expect(reached).toBe(0);
  expect(new Set(asked.filter((request) => request.endsWith('with the token')))).toSatisfy(
    (requests: Set<string>) => [...requests].every((request) => / \/api /.test(request)),
  );
  await elsewhere.close();
});
