// Tests three processes on one PostgreSQL: whom a directory takes something from at one of them loses it at all of them.
// reference: SCIM; decision: 071
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { call } from '../support/mcp.ts';
import { send } from '../support/policy.ts';
import { patch, scim, SCIM_TOKEN } from '../support/scim.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
} from '../support/services.ts';

interface Seeded {
  userId: string;
  key: { 'x-service-api-key': string };
  session: { authorization: string };
}

await describeService('what a directory takes at one of three processes', postgresUrl(), () => {
  let schema: PostgresSchema;
  let site: Site;
  let gateways: Gateway[];
  let owner: Seeded;
  let ana: Seeded;

  beforeAll(async () => {
    schema = await createPostgresSchema();
    site = await openSite();
    const env = {
      DATABASE_URL: schema.url,
      PENDING_STORE: 'database',
      SERVER_PUBLIC_URL: 'http://localhost:3000',
      HOSTED_CLIENT_ID: 'x',
      HOSTED_CLIENT_SECRET: 'y',
      HOSTED_MEMBER_GROUP: 'staff',
      SCIM_TOKEN,
      SESSION_SECRET: randomBytes(32).toString('hex'),
    };
    const seed = async (email: string): Promise<Seeded> => {
      const { stdout } = await site.seed(['--email', email, '--json', '--force'], env);
      const { userId, apiKey, session } = JSON.parse(stdout);
      const authorization = `Bearer ${session}`;
      return { userId, key: { 'x-service-api-key': apiKey }, session: { authorization } };
    };
    owner = await seed('owner@example.com');
    ana = await seed('ana@example.com');
    gateways = await Promise.all([1, 2, 3].map(() => site.start({ env })));
  }, 180_000);
  afterAll(async () => {
    await site.close();
    await schema.drop();
  });

  const [directory, ...others] = [0, 1, 2].map((index) => ({
    request: (path: string, init?: RequestInit) => {
      const gateway = gateways[index];
      if (gateway === undefined) throw new Error('there is no such process');
      return gateway.request(path, init);
    },
  }));
  const at = () => directory ?? others[0] ?? { request: () => Promise.reject(new Error('nothing runs')) };

  const makeGroup = async (displayName: string): Promise<string> => {
    const members = [{ value: ana.userId }];
    return (await scim(at(), 'POST', '/Groups', { displayName, members })).body.id;
  };
  const leave = (group: string) =>
    patch(at(), `/Groups/${group}`, { op: 'Remove', path: 'members', value: [{ value: ana.userId }] });
  const everywhere = <T>(look: (app: (typeof others)[number]) => Promise<T>) => Promise.all(others.map(look));
  const statuses = (headers: Record<string, string>) =>
    everywhere(async (app) => (await app.request('/api/connections', { headers })).status);
  const isBlocked = () =>
    everywhere(async (app) => {
      const executions = [{ tool: 'web_fetch', args: { url: 'http://127.0.0.1:1/' } }];
      const { results } = await call(app, ana.key, 'execute_tools', { executions });
      return results[0].error === 'BLOCKED';
    });

  it('is a right that a rule gave to a group: the next call is refused', async () => {
    const rules = [
      { tool: 'web_fetch', decision: 'block' },
      { tool: 'web_fetch', groups: ['readers'], decision: 'allow' },
    ];
    expect((await send(at(), owner.session, 'PUT', '/api/admin/policy', { rules })).status).toBe(200);
    expect(await isBlocked()).toEqual([true, true]);
    const readers = await makeGroup('readers');
    expect(await isBlocked()).toEqual([false, false]);
    expect((await leave(readers)).status).toBe(200);
    expect(await isBlocked()).toEqual([true, true]);
  });

  it('is the access of somebody who leaves the last member group', async () => {
    const staff = await makeGroup('staff');
    expect(await statuses(ana.session)).toEqual([200, 200]);
    expect((await leave(staff)).status).toBe(200);
    expect(await statuses(ana.key)).toEqual([401, 401]);
    await expect.poll(() => statuses(ana.session)).toEqual([401, 401]);
  });

  it('is the access of somebody who is made inactive', async () => {
    const made = await scim(at(), 'POST', '/Users', {
      userName: 'second@example.com',
      emails: [{ value: 'second@example.com' }],
    });
    expect(made.status).toBe(201);
    expect(await statuses(owner.session)).toEqual([200, 200]);
    await send(at(), owner.session, 'PATCH', `/api/admin/people/${made.body.id}`, { role: 'owner' });
    const off = { op: 'replace', value: { active: false } };
    expect((await patch(at(), `/Users/${owner.userId}`, off)).status).toBe(200);
    expect(await statuses(owner.key)).toEqual([401, 401]);
    await expect.poll(() => statuses(owner.session)).toEqual([401, 401]);
  });
});
