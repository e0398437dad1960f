// The key of a call reaches providers that take one, as another text. reference: Keys of executions
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser } from '../support/import-user.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const MAIL = { from: 'a@example.com', to: ['b@example.com'], subject: 's', text: 't' };

let app: TestApp;
let ana: TestUser;
let server: HttpServer;
let seen: IncomingMessage[];
const keys = () => seen.map(({ headers }) => headers['idempotency-key']);

beforeEach(async () => {
  seen = [];
  server = await startHttpServer((request, response) => {
    seen.push(request);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"x_1"}');
  });
  const to = `http://127.0.0.1:${server.port}`;
  const hosts = ['https://api.resend.com', 'https://api.stripe.com', 'https://shop.zendesk.com'];
  app = await createTestApp({ env: { UPSTREAM_MAP: hosts.map((host) => `${host}=${to}`).join(',') } });
  ana = await app.user();
  const { vault } = app.deps;
  await vault.save(ana.id, 'resend', { accessToken: JSON.stringify({ apiKey: 're_1' }) });
  await vault.save(ana.id, 'stripe', { accessToken: 'sk_1' });
  const config = { instanceUrl: 'https://shop.zendesk.com' };
  await vault.save(ana.id, 'zendesk', { accessToken: 'z_1', config });
});
afterEach(async () => {
  await app.close();
  await server.close();
});

async function run(tool: string, args: object, more: object = {}) {
  const executions = [{ tool, args, ...more }];
  return (await call(app, ana.keyHeader, 'execute_tools', { executions })).results[0];
}

describe('a provider that takes keys', () => {
  it('gets one that does not show the key of the caller', async () => {
    await run('resend_send_email', MAIL, { key: 'order-1' });
    expect(keys()).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });

  it('gets none for a call without a key, for a request that takes none, and for a read', async () => {
    await run('resend_send_email', MAIL);
    await run('resend_cancel_email', { emailId: 'e' }, { key: 'order-1' });
    await run('resend_list_domains', {}, { key: 'order-1' });
    expect(keys()).toEqual([undefined, undefined, undefined]);
  });

  it('gets another one for another key, tool, caller and day', async () => {
    const send = (key: string) => run('resend_send_email', MAIL, { key });
    await send('order-1');
    await send('order-2');
    await run('resend_send_batch', { emails: [MAIL] }, { key: 'order-1' });
    app.clock.advance(24 * 3_600);
    await send('order-1');
    expect(new Set(keys()).size).toBe(4);
  });

  it('gets one for each request of a call', async () => {
    await run(
      'stripe_create_invoice',
      { customer: 'cus_1', items: [{ description: 'a', amount: 5 }], currency: 'eur' },
      { key: 'order-1' },
    );
    const posts = seen.filter(({ method }) => method === 'POST');
    expect(posts.length).toBeGreaterThan(1);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(posts.length);
  });

  it('of tickets gets it', async () => {
    await run('zendesk_create_ticket', { subject: 's', body: 'c' }, { key: 'order-1' });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /api/v2/tickets']);
    expect(keys()).toEqual([expect.any(String)]);
  });

  it('gets it through the raw request of its tool too', async () => {
    await run('stripe_request', { method: 'POST', path: '/v1/refunds', body: {} }, { key: 'order-1' });
    expect(keys()).toEqual([expect.any(String)]);
  });
});

describe('an operation of an OpenAPI description', () => {
  const describeShop = () => ({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: `http://127.0.0.1:${server.port}` }],
    paths: {
      '/orders': {
        post: {
          operationId: 'order',
          parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
          responses: { 200: { description: 'OK' } },
        },
      },
      '/notes': { post: { operationId: 'note', responses: { 200: { description: 'OK' } } } },
    },
  });
  beforeEach(async () => {
    const owner = createImportUser(app, ana);
    await owner.add({ document: JSON.stringify(describeShop()) });
  });

  it('gets a key where it names the header, and the one of the caller where the caller names one', async () => {
    await run('acme_order', {}, { key: 'order-1' });
    await run('acme_note', {}, { key: 'order-1' });
    await run('acme_order', { 'Idempotency-Key': 'mine' }, { key: 'order-2' });
    await run('acme_order', {});
    expect(keys()).toEqual([expect.stringMatching(/^[\w-]{43}$/), undefined, 'mine', undefined]);
  });
});

it('a repeat of a connected call gives nothing while nothing is connected', async () => {
  await run('resend_send_email', MAIL, { key: 'order-1' });
  await app.deps.store.connections.delete(ana.id, 'resend', '');
  expect(await run('resend_send_email', MAIL, { key: 'order-1' })).toMatchObject({ error: 'NOT_CONNECTED' });
  await app.deps.vault.save(ana.id, 'resend', { accessToken: JSON.stringify({ apiKey: 're_2' }) });
  expect(await run('resend_send_email', MAIL, { key: 'order-1' })).toMatchObject({ replayed: true });
  expect(seen).toHaveLength(1);
});
