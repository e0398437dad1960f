// Tests that a person adds MCP servers and OpenAPI services and uses them, on every runtime. reference: Imports
import { afterEach, expect, it } from 'vitest';
import { startChangingServer, tool } from '../../support/changing-server.ts';
import { call } from '../../support/mcp.ts';
import { HTTP_SERVERS } from '../../support/mcp-servers.ts';
import { startService } from '../../support/openapi-service.ts';
import type { Subject } from '../app-contract.ts';

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

  it('adds a service by its OpenAPI description, with a credential, and reads the description again', async () => {
    const service = await startService();
    closing.push(() => service.close());
    Object.assign(service.description.components, {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    });
    service.description.security = [{ token: [] }];
    const { address } = service;
    expect((await send('POST', '/api/imports/preview', { address })).body).toMatchObject({
      kind: 'openapi',
      auth: { headers: { Authorization: 'Bearer {token}' } },
    });
    const include = ['invoices'];
    expect((await send('POST', '/api/imports', { address, include, name: 'acme' })).status).toBe(201);
    await send('POST', '/api/auth/apikey/acme', { values: { token: 'the-token' } });
    const created = { number: 'R-7', amount: 12.5 };
    expect(await run('acme_create_invoice', created)).toEqual({ result: { ...created, id: 'i-1' } });
    expect(service.calls.at(-1)?.headers.get('authorization')).toBe('Bearer the-token');
    expect(await run('acme_list_invoices', { state: ['sent', 'paid'] })).toMatchObject({
      result: { state: 'sent,paid' },
    });

    delete service.description.paths['/invoices/{id}'];
    const { body } = await send('POST', '/api/imports/acme/check');
    expect(body).toMatchObject({ changed: [], gone: ['acme_get_invoice', 'acme_delete_invoice'] });
    expect(await run('acme_get_invoice', { id: '7' })).toMatchObject({
      error: expect.stringContaining('any more'),
    });
    expect((await send('DELETE', '/api/imports/acme')).status).toBe(200);
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
