// Reads on one gateway and writes on another, both on one PostgreSQL and one Redis. reference: Outside content; decision: 063
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { call } from '../support/mcp.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
  redisUrl,
} from '../support/services.ts';

await describeService('two gateways', postgresUrl(), () => {
  let schema: PostgresSchema;
  let site: Site;
  let first: Gateway & Banner;
  let second: Gateway;
  beforeAll(async () => {
    schema = await createPostgresSchema();
    site = await openSite();
    const env = { DATABASE_URL: schema.url, PENDING_STORE: redisUrl() };
    first = await site.start({ env });
    second = await site.start({ env });
  }, 120_000);
  afterAll(async () => {
    await site.close();
    await schema.drop();
  });

  const run = async (gateway: Gateway, name: string, args: object) => {
    const key = { 'x-service-api-key': first.apiKey };
    const { results } = await call(gateway, key, 'execute_tools', { executions: [{ tool: name, args }] });
    return results[0];
  };
  const keep = (gateway: Gateway) => run(gateway, 'upload_file', { name: 'a.txt', content: 'a' });

  it('ask on one after a read on the other', async () => {
    const rules = [{ access: 'write', after: 'outside', decision: 'ask' }];
    const saved = await first.request('/api/policy', {
      method: 'PUT',
      headers: { authorization: `Bearer ${first.session}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rules }),
    });
    expect(saved.status).toBe(200);
    expect(await keep(second)).toHaveProperty('result');
    await run(first, 'list_jots', {});
    expect(await keep(second)).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      message: expect.stringMatching(/because list_jots was read \d+ s ago/),
    });
  });
});
