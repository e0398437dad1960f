// Adds imports of real MCP servers through the API, and uses them through every door.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool } from '../support/mcp.ts';
import { HTTP_SERVERS, type StartedServer } from '../support/mcp-servers.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const [modern] = HTTP_SERVERS.filter(
  ({ era, transport }) => era === 'modern' && transport === 'streamable-http',
);
if (modern === undefined) throw new Error('There is no server of the modern era');

let app: TestApp;
let ana: TestUser;
let server: StartedServer;
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user();
  server = await modern.start();
});
afterEach(async () => {
  await server.close();
  await app.deps.mcp.close();
  await app.close();
});

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function call(path: string, init: RequestInit = {}, user: TestUser = ana) {
  const response = await app.request(path, {
    ...init,
    headers: { ...user.sessionHeader, ...Object.fromEntries(new Headers(init.headers)) },
  });
  return { status: response.status, body: await response.json() };
}

const post = (path: string, body: unknown, user?: TestUser) =>
  call(path, { method: 'POST', ...json(body) }, user);

describe('preview', () => {
  it('shows what an import would be and stores nothing', async () => {
    const { status, body } = await post('/api/imports/preview', { address: server.address });
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'mcp', auth: { type: 'none' }, listed: true });
    expect(body.tools).toContainEqual(
      expect.objectContaining({ name: `${body.name}_echo`, access: 'read', ready: true }),
    );
    expect((await call('/api/imports')).body).toEqual({ imports: [] });
  });
});

describe('an import of a server without a sign-in', () => {
  it('is listed, searched, described and executed through MCP and REST', async () => {
    const added = await post('/api/imports', { address: server.address, name: 'acme' });
    expect(added.body).toMatchObject({ name: 'acme', for: 'me', editable: true });
    expect(added.status).toBe(201);

    const rest = await post('/rest/acme', { tool: 'echo', args: { message: 'hello' } });
    expect(rest).toEqual({ status: 200, body: { result: 'Echo: hello' } });
    const mcp = await callTool(app, ana, 'execute_tools', {
      executions: [{ tool: 'acme_add', args: { a: 1, b: 2 } }],
    });
    expect(mcp).toEqual({ results: [{ result: { sum: 3 } }] });
  });
});
