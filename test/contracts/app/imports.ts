// Tests that a person adds real MCP servers and uses them, on every runtime and engine. reference: Imports
import { afterEach, expect, it } from 'vitest';
import { startChangingServer, tool } from '../../support/changing-server.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { call } from '../../support/mcp.ts';
import { HTTP_SERVERS } from '../../support/mcp-servers.ts';
import type { Subject } from '../app-contract.ts';

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: '/' }],
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        summary: 'Get a pet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'the pet' } },
      },
    },
  },
};

export function importSentences(at: () => Subject): void {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function send(method: string, path: string, body?: object) {
    const { gateway, ana } = at();
    const response = await gateway.request(path, {
      method,
      headers: { ...ana.session, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  async function run(name: string, args: object = {}) {
    const { gateway, ana } = at();
    const executions = [{ tool: name, args }];
    return (await call(gateway, ana.key, 'execute_tools', { executions })).results[0];
  }

  it('adds a server, connects it with a token, and runs a changed tool only after it was accepted', async () => {
    const server = await startChangingServer([tool('get')], { tokens: ['the-token'] });
    closing.push(() => server.close());
    const { address } = server;
    expect((await send('POST', '/api/imports/preview', { address })).body).toMatchObject({
      listed: false,
      auth: { type: 'headers', fields: ['token'] },
    });
    expect((await send('POST', '/api/imports', { address, name: 'acme' })).status).toBe(201);
    expect(await run('acme_get')).toMatchObject({ error: 'Tool not found' });
    const connected = await send('POST', '/api/auth/apikey/acme', { values: { token: 'the-token' } });
    expect(connected.status).toBe(200);
    expect(await run('acme_get')).toEqual({ result: 'get for the-token' });
    const rest = await send('POST', '/rest/acme', { tool: 'get', args: {} });
    expect(rest).toMatchObject({ status: 200, body: { result: 'get for the-token' } });
    const { gateway, ana } = at();
    const found = await call(gateway, ana.key, 'search_tools', { query: 'acme get', limit: 3 });
    expect(found.tools[0]).toMatchObject({ name: 'acme_get', connected: true });

    server.tools = [
      tool('get', { inputSchema: { type: 'object', properties: { key: { type: 'number' } } } }),
    ];
    const { body } = await send('POST', '/api/imports/acme/check');
    expect(body.changed).toEqual([expect.objectContaining({ name: 'acme_get', blocking: true })]);
    expect(await run('acme_get')).toMatchObject({ error: expect.stringContaining('accepted') });
    expect((await send('POST', '/api/imports/acme/accept', { all: true })).status).toBe(200);
    expect(await run('acme_get', { key: 7 })).toEqual({ result: 'get for the-token' });

    expect((await send('DELETE', '/api/imports/acme')).status).toBe(200);
    expect(await run('acme_get')).toMatchObject({ error: 'Tool not found' });
    const { connections } = (await send('GET', '/api/connections')).body;
    expect(connections).not.toContainEqual(expect.objectContaining({ name: 'acme' }));
  });

  it('adds a service by the address of its description, and calls it', async () => {
    const service = await startHttpServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url === '/openapi.json' ? PETS : { path: request.url }));
    });
    closing.push(() => service.close());
    const origin = `http://127.0.0.1:${service.port}`;

    const added = await send('POST', '/api/imports', { address: `${origin}/openapi.json`, name: 'pets' });
    expect(added.status).toBe(201);
    expect(await run('pets_get_pet', { id: 'rex' })).toMatchObject({ result: { path: '/pets/rex' } });
    expect((await send('DELETE', '/api/imports/pets')).status).toBe(200);
  });

  it.each(HTTP_SERVERS.filter(({ name }) => name.startsWith('SDK')))(
    'calls $name from one request after the other, also after it has lost its sessions',
    async ({ start }) => {
      const server = await start();
      closing.push(() => server.close());
      expect((await send('POST', '/api/imports', { address: server.address, name: 'acme' })).status).toBe(
        201,
      );
      for (const message of ['one', 'two', 'three'])
        expect(await run('acme_echo', { message })).toEqual({ result: `Echo: ${message}` });
      server.forget();
      expect(await run('acme_echo', { message: 'four' })).toEqual({ result: 'Echo: four' });
      const many = Array.from({ length: 8 }, (_, index) => String(index));
      const answers = await Promise.all(many.map((message) => run('acme_echo', { message })));
      expect(answers).toEqual(many.map((message) => ({ result: `Echo: ${message}` })));
      expect((await send('DELETE', '/api/imports/acme')).status).toBe(200);
    },
  );
}
