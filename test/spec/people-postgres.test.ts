// Tests the administration of people over PostgreSQL, where requests of several processes really run at once.
// reference: Administration of people
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const ALL = '/api/admin/people';

await describeService('two processes over PostgreSQL', postgresUrl(), () => {
  let apps: readonly [TestApp, TestApp];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const schema = await createPostgresSchema();
    drop = schema.drop;
    const open = async () => {
      const engine = openPostgres(schema.url);
      await createSchema(engine);
      return createTestApp({ env: PROVIDER, ports: { store: createSqlStore(engine) } });
    };
    apps = [await open(), await open()];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await drop();
  });

  it('invite one address once', async () => {
    const [one, two] = apps;
    const { sessionHeader } = await userWithRole(one, 'inviter@example.com', 'administrator');
    for (let round = 0; round < 5; round++) {
      const body = { email: `new-${round}@example.com` };
      const answers = await Promise.all(
        [one, two, one, two].map((app) => send(app, sessionHeader, 'POST', ALL, body)),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    }
  });

  it('leave one of two owners who demote each other at once', async () => {
    const [one, two] = apps;
    const first = await one.deps.store.users.byEmail('first@example.com');
    const owners = [
      await userWithRole(one, 'ann@example.com', 'owner'),
      await userWithRole(two, 'bob@example.com', 'owner'),
    ] as const;
    await one.deps.store.people.setRole(first?.id ?? '', 'member');
    for (let round = 0; round < 5; round++) {
      for (const { id } of owners) await one.deps.store.people.setRole(id, 'owner');
      const [ann, bob] = owners;
      const answers = await Promise.all([
        send(one, ann.sessionHeader, 'PATCH', `${ALL}/${bob.id}`, { role: 'member' }),
        send(two, bob.sessionHeader, 'PATCH', `${ALL}/${ann.id}`, { role: 'member' }),
      ]);
      expect(answers.map(({ status }) => status)).toContain(200);
      const left = await Promise.all(owners.map(({ id }) => one.deps.store.users.byId(id)));
      expect(left.filter((user) => user?.is_owner === true)).toHaveLength(1);
    }
  });

  it('refuse a disabled person everywhere', async () => {
    const [one, two] = apps;
    const admin = await userWithRole(one, 'admin@example.com', 'administrator');
    const gone = await one.user('gone@example.com');
    one.clock.advance(1);
    two.clock.advance(1);
    expect((await send(two, gone.sessionHeader, 'GET', '/api/me')).status).toBe(200);
    const later = await one.deps.sessions.issue(admin);
    const headers = { authorization: `Bearer ${later}` };
    expect((await send(one, headers, 'PATCH', `${ALL}/${gone.id}`, { disabled: true })).status).toBe(200);
    expect((await send(one, gone.sessionHeader, 'GET', '/api/me')).status).toBe(401);
    // The other process reads the list of endings at most a second later.
    two.clock.advance(2);
    expect((await send(two, gone.sessionHeader, 'GET', '/api/me')).status).toBe(401);
    for (const app of apps) expect((await send(app, gone.keyHeader, 'GET', '/api/me')).status).toBe(401);
  });
});
