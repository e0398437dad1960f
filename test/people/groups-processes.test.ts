// Tests three processes on one PostgreSQL: whom a sign-in at one of them takes out of a group loses its rights at all of
// them. scim/processes.test.ts does the same with a directory. reference: Groups; decision: 070
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { call } from '../support/mcp.ts';
import { send } from '../support/policy.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
} from '../support/services.ts';

type Name = 'hosted' | 'idp';
const PROVIDERS: readonly Name[] = ['hosted', 'idp'];
const URL_OF_NOBODY = 'http://127.0.0.1:1/';

await describeService('what a sign-in takes at one of three processes', postgresUrl(), () => {
  let schema: PostgresSchema;
  let site: Site;
  let providers: Record<Name, ScriptedProvider>;
  let gateways: Gateway[];
  let owner: { authorization: string };
  let nonce = '';

  beforeAll(async () => {
    const options = { now: () => Math.floor(Date.now() / 1000), nonce: () => nonce };
    providers = {
      hosted: await startScriptedProvider(options),
      idp: await startScriptedProvider({ ...options, path: '/realms/staff' }),
    };
    schema = await createPostgresSchema();
    site = await openSite();
    const secret = { HOSTED_CLIENT_SECRET: 'secret', IDP_CLIENT_SECRET: 'secret' };
    const env = {
      ...secret,
      DATABASE_URL: schema.url,
      PENDING_STORE: 'database',
      SERVER_PUBLIC_URL: 'http://localhost:3000',
      HOSTED_ISSUER_URL: providers.hosted.issuer,
      HOSTED_CLIENT_ID: 'gateway',
      HOSTED_MEMBER_GROUP: 'staff',
      IDP_ISSUER_URL: providers.idp.issuer,
      IDP_CLIENT_ID: 'gateway',
      IDP_MEMBER_GROUP: 'staff',
      SESSION_SECRET: randomBytes(32).toString('hex'),
    };
    const { stdout } = await site.seed(['--email', 'owner@example.com', '--json', '--force'], env);
    owner = { authorization: `Bearer ${JSON.parse(stdout).session}` };
    gateways = await Promise.all([1, 2, 3].map(() => site.start({ env })));
  }, 180_000);
  afterAll(async () => {
    await site.close();
    await schema.drop();
    await Promise.all(PROVIDERS.map((name) => providers[name].close()));
  });

  /** Signs the person in at the first process. */
  async function signIn(name: Name, person: string, groups: readonly string[]): Promise<Response> {
    const [gateway] = gateways;
    if (gateway === undefined) throw new Error('no process runs');
    const { url } = await (await gateway.request(`/api/auth/${name}`)).json();
    const { searchParams } = new URL(url);
    nonce = searchParams.get('nonce') ?? '';
    providers[name].script.claims = { sub: person, email: `${person}@example.com`, groups };
    const query = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' });
    return gateway.request(`/api/auth/${name}/callback?${query}`, { redirect: 'manual' });
  }

  async function sessionOf(answer: Response): Promise<{ authorization: string }> {
    expect(answer.status).toBe(302);
    const { hash } = new URL(answer.headers.get('location') ?? '');
    return { authorization: `Bearer ${new URLSearchParams(hash.slice(1)).get('token')}` };
  }

  const everywhere = <T>(look: (gateway: Gateway) => Promise<T>) => Promise.all(gateways.map(look));
  const statuses = (headers: Record<string, string>) =>
    everywhere(async (gateway) => (await gateway.request('/api/connections', { headers })).status);

  it.each(PROVIDERS)(
    'is a right that a rule gave to a group, and then all access, from a sign-in at %s',
    async (name) => {
      const rules = [
        { tool: 'web_fetch', decision: 'block' },
        { tool: 'web_fetch', groups: ['readers'], decision: 'allow' },
      ];
      const [first] = gateways;
      if (first === undefined) throw new Error('no process runs');
      expect((await send(first, owner, 'PUT', '/api/admin/policy', { rules })).status).toBe(200);
      const person = `ana-of-${name}`;
      const session = await sessionOf(await signIn(name, person, ['staff', 'readers']));
      const made = await send(first, session, 'POST', '/api/keys');
      const key = { 'x-service-api-key': String(made.body.apiKey) };
      const isBlocked = () =>
        everywhere(async (gateway) => {
          const executions = [{ tool: 'web_fetch', args: { url: URL_OF_NOBODY } }];
          const { results } = await call(gateway, key, 'execute_tools', { executions });
          return results[0].error === 'BLOCKED';
        });
      expect(await isBlocked()).toEqual([false, false, false]);
      await sessionOf(await signIn(name, person, ['staff']));
      expect(await isBlocked()).toEqual([true, true, true]);

      expect(await statuses(session)).toEqual([200, 200, 200]);
      expect((await signIn(name, person, ['readers'])).status).toBe(403);
      expect(await statuses(key)).toEqual([401, 401, 401]);
      await expect.poll(() => statuses(session)).toEqual([401, 401, 401]);
    },
  );
});
