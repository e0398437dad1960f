// Imports a description of 10,000 operations through the API, and uses the last of them. reference: OpenAPI services
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const MANY = 10_000;

let app: TestApp;
let ana: ImportUser;
let server: HttpServer;
const asked: (string | undefined)[] = [];

beforeEach(async () => {
  server = await startHttpServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  app = await createTestApp();
  ana = createImportUser(app, await app.user('owner@localhost'));
});
afterEach(async () => {
  await app.close();
  await server.close();
});

function describe(operations: number) {
  const paths: Record<string, object> = {};
  for (let index = 0; index < operations; index++)
    paths[`/things${index}/{id}`] = {
      get: {
        operationId: `getThing${index}`,
        summary: `Get the thing number ${index}`,
        tags: [`part${index % 20}`],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'fine' } },
      },
    };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Many' }, paths });
}

it('imports 10,000 operations, finds one of them and calls it', async () => {
  const form = { document: describe(MANY), base: `http://127.0.0.1:${server.port}` };
  const preview = await ana.preview(form);
  expect(preview.tools).toHaveLength(MANY);
  const entry = await ana.add(form);
  expect(entry.tools).toHaveLength(MANY);
  expect(await ana.search('acme_get_thing9999')).toContain('acme_get_thing9999');
  expect(await ana.run('acme_get_thing9999', { id: 'x' })).toEqual({ result: { ok: true } });
  expect(asked).toEqual(['/things9999/x']);
});

it('refuses more with a sentence that says how to choose, and imports what is chosen', async () => {
  const form = { document: describe(MANY + 1), base: `http://127.0.0.1:${server.port}` };
  const preview = await ana.preview(form);
  expect(preview.warnings).toContainEqual(expect.stringContaining('Choose some of them'));
  const refused = await ana.send('POST', '/api/imports', { ...form, name: 'acme' });
  expect(refused).toMatchObject({
    status: 413,
    body: { error: expect.stringContaining('10001 operations') },
  });
  const entry = await ana.add({ ...form, include: ['part0'] });
  expect(entry.tools.filter((tool: { included: boolean }) => tool.included)).toHaveLength(501);
});
