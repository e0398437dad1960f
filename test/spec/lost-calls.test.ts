// A call that was sent and got no answer may have run, and says so; one that was never sent could not be reached.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

type Server = Awaited<ReturnType<typeof startHttpServer>>;

let app: TestApp;
let ana: ImportUser;
let server: Server;
let arrived: number;

beforeEach(async () => {
  arrived = 0;
  server = await startHttpServer((request) => {
    arrived++;
    request.socket.destroy();
  });
  app = await createTestApp();
  ana = createImportUser(app, await app.user('owner@localhost'));
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  await server.close().catch(() => {});
});

const describeShop = (port: number): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: `http://127.0.0.1:${port}` }],
    paths: {
      '/orders': { post: { operationId: 'pay', responses: { 200: { description: 'OK' } } } },
      '/list': { get: { operationId: 'list', responses: { 200: { description: 'OK' } } } },
    },
  });

describe.each(['acme_pay', 'acme_list'])('a call of %s', (tool) => {
  it('may have run when the service closes the connection', async () => {
    await ana.add({ document: describeShop(server.port) });
    expect(await ana.run(tool)).toMatchObject({
      error: `127.0.0.1:${server.port} closed the connection before it answered. The call may have run`,
    });
    expect(arrived).toBe(1);
  });

  it('was never sent when nothing listens', async () => {
    await ana.add({ document: describeShop(server.port) });
    await server.close();
    expect(await ana.run(tool)).toMatchObject({ error: `127.0.0.1:${server.port} could not be reached` });
    expect(arrived).toBe(0);
  });
});

it('shows the beginning of a text that is too long, and says how long it is', async () => {
  server.answer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n'.repeat(5 * 2 ** 20));
  });
  await ana.add({ document: describeShop(server.port) });
  const response = await app.request('/rest/acme', {
    method: 'POST',
    headers: { ...ana.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'acme_list' }),
  });
  const { result } = await response.json();
  expect(result).toMatch(/^a,b\na,b\n/);
  expect(result).toMatch(
    /\[Cut here after 1,048,576 characters\. The answer of 127\.0\.0\.1:\d+ is larger than 16777216 bytes\. Ask for less of it\.\]$/,
  );
});
