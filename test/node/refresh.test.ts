// Tests that several processes on PostgreSQL make one refresh at a time. decision: 024
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeProvider, startProvider } from '../support/fake-provider.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
} from '../support/services.ts';

const FIXTURE_GATEWAY = ['node', 'adapters/node/launch.mjs', 'test/support/fixture-gateway.ts'];
const CALLS = 100;

await describeService('token refresh over three processes on PostgreSQL', postgresUrl(), () => {
  let schema: PostgresSchema;
  let provider: FakeProvider;
  let site: Site;
  let gateways: Gateway[];
  let headers: Record<string, string>;

  beforeAll(async () => {
    schema = await createPostgresSchema();
    provider = await startProvider();
    site = await openSite();
    const env = {
      DATABASE_URL: schema.url,
      SERVER_PUBLIC_URL: 'http://localhost:3000',
      VAULTED_CLIENT_ID: 'id',
      VAULTED_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: `https://vaulted.example=${provider.url}`,
    };
    const seeded = await site.seed(['--email', 'ana@example.com', '--json'], env);
    headers = { 'x-service-api-key': JSON.parse(seeded.stdout).apiKey, 'content-type': 'application/json' };
    gateways = await Promise.all([1, 2, 3].map(() => site.spawn({ env, command: FIXTURE_GATEWAY })));
    await Promise.all(gateways.map((gateway) => gateway.says('"event":"listening"')));
  });
  afterAll(async () => {
    await site.close();
    await provider.close();
    await schema.drop();
  });

  /** Connects as a person does; the token needs a refresh at once. */
  async function connect(): Promise<void> {
    const [gateway] = gateways;
    if (gateway === undefined) throw new Error('no gateway');
    const { url } = await (await gateway.request('/api/auth/vaulted', { headers })).json();
    const { searchParams } = new URL(url);
    provider.expiresIn = 10;
    provider.expect('c', searchParams.get('code_challenge') ?? '');
    const back = `/api/auth/plugin/vaulted/callback?code=c&state=${searchParams.get('state')}`;
    expect((await gateway.request(back, { redirect: 'manual' })).status).toBe(302);
    provider.expiresIn = 3600;
    provider.tokenRequests.length = 0;
  }

  async function use(gateway: Gateway | undefined): Promise<number> {
    const body = JSON.stringify({ tool: 'get', args: { path: '/x' } });
    const response = await gateway?.request('/rest/vaulted', { method: 'POST', headers, body });
    return response?.status === 200 ? (await response.json()).result.status : (response?.status ?? 0);
  }

  it(`makes one refresh for ${CALLS} calls on an expired token, and fails none`, async () => {
    await connect();
    const statuses = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => use(gateways[index % gateways.length])),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('blocks the others no longer than the lease when its holder is killed', async () => {
    await connect();
    const [first, ...others] = gateways;
    const asked = Promise.withResolvers<void>();
    // The provider never answers the process that will be killed.
    provider.script.push(() => asked.resolve());
    const lost = use(first).catch(() => 0);
    await asked.promise;
    first?.signal('SIGKILL', 'group');
    expect(await lost).toBe(0);
    expect(await Promise.all(others.map(use))).toEqual([200, 200]);
    expect(provider.tokenRequests).toHaveLength(2);
    // The lease alone takes twenty seconds.
  }, 60_000);
});
