// Starts this version on what a gateway of 0.1 left behind, as its operator does: the data folder, PostgreSQL with the
// folder of the blobs, and D1 with R2. People, agents and the operator then use everything in it. decision: 005
// test/fixtures/gateway-0.1/make.ts made all three with the sources of 0.1. contracts/store-upgrade.test.ts does the same
// for rows of every table.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createR2Blobs, type R2Bucket } from '../../drivers/blobs/r2.ts';
import { createSchema } from '../../drivers/sql/engine.ts';
import { CURRENT } from '../../drivers/sql/migrations.ts';
import { type D1Database, openD1 } from '../../drivers/sql/d1.ts';
import { openWorld, type Running, UPSTREAM_TOKEN, type World } from '../contracts/app/world.ts';
import { statements } from '../contracts/store/filled.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Gateway, openSite, ROOT, type Site } from '../support/gateway-process.ts';
import { call, rpc } from '../support/mcp.ts';
import { CALLBACK, refresh, token } from '../support/oauth-client.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { type RunningWorker, startHarness } from '../support/worker.ts';

const FIXTURES = join(ROOT, 'test/fixtures/gateway-0.1');
const WEEK = 7 * 86_400;
type Name = 'sqlite' | 'postgres' | 'd1';
const readFixture = (name: Name, file: string) => readFileSync(join(FIXTURES, name, file), 'utf8');

/** The application was last used when the fixture was made. Here it was last used a moment ago. */
const lastUsedNow = () => `update refresh_tokens set expires_at = ${Math.floor(Date.now() / 1000) + WEEK}`;

interface Subject {
  gateway: Pick<Running, 'request' | 'publicUrl'>;
  world: World;
}

function sentences(name: Name, at: () => Subject): void {
  const known = JSON.parse(readFixture(name, 'known.json'));
  const { ana, ben } = known;
  const ask = async (path: string, init?: RequestInit) => (await at().gateway.request(path, init)).json();
  const run = async (tool: string, args: object, key = ana.key) =>
    (await call(at().gateway, key, 'execute_tools', { executions: [{ tool, args }] })).results[0];

  it('knows the keys of its people', async () => {
    expect(await ask('/api/auth/me', { headers: ana.key })).toMatchObject({ id: ana.id, email: ana.email });
    expect(await ask('/api/auth/me', { headers: ben.key })).toMatchObject({ email: ben.email });
    expect((await rpc(at().gateway, ana.key, 'tools/list')).body.result?.['tools']).toHaveLength(9);
  });

  it('calls with every stored credential', async () => {
    const { connections } = await ask('/api/connections', { headers: ana.key });
    const connected = connections.filter((each: { connected: boolean }) => each.connected);
    expect(connected.map((each: { name: string }) => each.name)).toEqual(
      expect.arrayContaining(['discourse', 'github', 'resend']),
    );
    expect(await run('resend_list_domains', {})).toMatchObject({ result: {} });
    expect(await run('github_list_issues', { owner: 'o', repo: 'r' })).toMatchObject({ result: {} });
    // A check of the connection may have called meanwhile.
    const sent = at().world.calls.map(({ path, authorization }) => ({ path, authorization }));
    expect(sent).toContainEqual({ path: '/domains', authorization: 'Bearer re_of_0_1' });
    expect(sent).toContainEqual({
      path: expect.stringContaining('/repos/o/r/issues'),
      authorization: `Bearer ${UPSTREAM_TOKEN}`,
    });
    const exported = await ask('/api/integrations/discourse/session/export', { headers: ana.key });
    expect(exported.session.cookies).toMatchObject(known.cookies);
  });

  it('refuses the token that was used, and rotates the one that was not', async () => {
    const rotated = await refresh(at().gateway, known.clientId, known.refreshToken);
    expect(rotated).toMatchObject({ status: 200 });
    const bearer = { authorization: `Bearer ${rotated.body.access_token}` };
    expect((await rpc(at().gateway, bearer, 'tools/list')).body.result?.['tools']).toHaveLength(9);
    expect(await refresh(at().gateway, known.clientId, known.usedToken)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('signs people in as who they were, also for an application that registered at 0.1', async () => {
    const { gateway, world } = at();
    const running = {
      ...gateway,
      request: (path: string, init?: RequestInit) => gateway.request(path, { redirect: 'manual', ...init }),
      proxies: true,
      close: async () => {},
    };
    const code = await world.authorize(running, 'ana', known.clientId);
    const fields = {
      code,
      client_id: known.clientId,
      redirect_uri: CALLBACK,
      code_verifier: 'v'.repeat(43),
    };
    const given = await token(at().gateway, { grant_type: 'authorization_code', ...fields });
    expect(given).toMatchObject({ status: 200 });
    const bearer = { authorization: `Bearer ${given.body.access_token}` };
    const { integrations } = await call(at().gateway, bearer, 'list_integrations');
    expect(integrations).toContainEqual(expect.objectContaining({ name: 'resend', connected: true }));
  });

  it('serves its jots, asks for their passwords, and publishes over them', async () => {
    const text = async (path: string, cookie = '') =>
      (await at().gateway.request(path, { headers: { cookie } })).text();
    expect(await text('/j/hello/')).toContain('<h1>a page of 0.1</h1>');
    expect((await at().gateway.request('/j/locked/')).status).toBe(401);
    const unlocked = await at().gateway.request('/j/locked/__auth', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password: 'open sesame' }),
    });
    const [cookie = ''] = unlocked.headers.getSetCookie();
    expect(await text('/j/locked/', cookie.split(';')[0])).toContain('<h1>a secret of 0.1</h1>');
    const files = [{ path: 'index.html', content: '<h1>a page of this version</h1>' }];
    expect(await run('deploy_jot', { name: 'hello', files })).toMatchObject({ result: { name: 'hello' } });
    expect(await text('/j/hello/')).toContain('<h1>a page of this version</h1>');
  });

  it('shows the calls of 0.1 below its own', async () => {
    const { entries } = await ask('/api/audit', { headers: ana.key });
    const facts = entries.map(({ tool, success }: { tool: string; success: boolean }) => ({
      tool,
      success,
    }));
    expect(facts.length).toBeGreaterThan(known.audit.length);
    expect(facts.slice(-known.audit.length)).toEqual(known.audit);
  });
}

interface Opened {
  /** The settings beside those of the sign-in provider and the upstream. */
  env: Record<string, string>;
  databaseUrl: string;
  remove(): Promise<void>;
}

function upgrade(name: 'sqlite' | 'postgres', open: (site: Site) => Promise<Opened>): void {
  describe(`what a gateway of 0.1 left on ${name}`, () => {
    let site: Site;
    let world: World;
    let opened: Opened;
    let gateway: Gateway;
    let env: Record<string, string>;
    beforeAll(async () => {
      [site, world] = await Promise.all([openSite(), openWorld()]);
      mkdirSync(dirname(site.dataDir), { recursive: true });
      const archive = join(FIXTURES, name, 'data.tar.gz');
      execFileSync('tar', [
        '--extract',
        '--gzip',
        `--file=${archive}`,
        `--directory=${dirname(site.dataDir)}`,
      ]);
      opened = await open(site);
      const engine = openAt(opened.databaseUrl);
      await engine.run(CompiledQuery.raw(lastUsedNow()));
      await engine.close();
      // The secrets are in the folder.
      const { SESSION_SECRET: _session, ENCRYPTION_KEY: _key, ...others } = world.env;
      env = { ...others, ...opened.env };
      gateway = await site.start({ env });
    });
    afterAll(async () => {
      await site.close();
      await world.close();
      await opened.remove();
    });

    sentences(name, () => ({ gateway: { ...gateway, publicUrl: gateway.base }, world }));

    it('seals the calls of 0.1', async () => {
      // Rows that are older than ten minutes are sealed after the start.
      await gateway.says('audit segment sealed');
      const verified = await site.audit(['verify'], env);
      expect(verified, verified.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^[1-9]\d* segments?, [1-9]\d* rows checked\n/),
      });
    });

    it('obeys the commands of its operator', async () => {
      const users = await site.users(['list'], env);
      expect(users, users.stderr).toMatchObject({ code: 0 });
      for (const email of ['ana@example.com', 'ben@example.com']) expect(users.stdout).toContain(email);
    });

    it('starts again, and has logged no error', async () => {
      await gateway.stop();
      const former = gateway.output.stdout;
      gateway = await site.start({ env });
      expect((await gateway.request('/api/health/ready')).status).toBe(200);
      const errors = `${former}${gateway.output.stdout}`
        .split('\n')
        .filter((line) => line.includes('"level":"error"'));
      expect(errors).toEqual([]);
      expect(readdirSync(site.dataDir)).toEqual(
        expect.arrayContaining(['audit-signing-key', 'encryption-key', 'session-secret']),
      );
    });
  });
}

upgrade('sqlite', async ({ dataDir }) => ({
  env: {},
  databaseUrl: `sqlite:${join(dataDir, 'service.db')}`,
  remove: async () => {},
}));
await describeService('what a gateway of 0.1 left', postgresUrl(), () =>
  upgrade('postgres', async () => {
    const { url, drop } = await createPostgresSchema();
    const engine = openAt(url);
    for (const statement of statements(readFixture('postgres', 'rows.sql')))
      await engine.run(CompiledQuery.raw(statement));
    await engine.close();
    return { env: { DATABASE_URL: url }, databaseUrl: url, remove: drop };
  }),
);

describe('what a Worker of 0.1 left on D1 and R2', () => {
  let world: World;
  let worker: RunningWorker;
  beforeAll(async () => {
    world = await openWorld();
    const started = await startHarness({ vars: world.env });
    worker = started;
    const { DB, BLOBS } = await started.harness.getWorker<{ DB: D1Database; BLOBS: R2Bucket }>().getEnv();
    const database = openD1(DB);
    for (const line of [...statements(readFixture('d1', 'rows.sql')), lastUsedNow()])
      await database.run(CompiledQuery.raw(line));
    const blobs = createR2Blobs(BLOBS);
    const kept: Record<string, string> = JSON.parse(readFixture('d1', 'blobs.json'));
    for (const [key, bytes] of Object.entries(kept))
      await blobs.put(key, new Uint8Array(Buffer.from(bytes, 'base64')));
  }, 180_000);
  afterAll(async () => {
    await worker.close();
    await world.close();
  });

  sentences('d1', () => ({ gateway: worker, world }));
});

describe('a Worker on a D1 that a newer version has changed', () => {
  it('answers no request from it, and logs what to do', async () => {
    const world = await openWorld();
    const worker = await startHarness({ vars: world.env });
    const { DB } = await worker.harness.getWorker<{ DB: D1Database }>().getEnv();
    await createSchema(openD1(DB), { ...CURRENT, program: '9.1.0', oldestProgram: '9.0.0' });
    const headers = { 'x-service-api-key': 'ab'.repeat(32) };
    expect((await worker.request('/api/auth/me', { headers })).status).toBe(500);
    const said = () =>
      worker.harness
        .getLogs()
        .map(({ message }) => message)
        .join('\n');
    await expect.poll(said).toContain('a newer version of this program has changed it');
    expect(said()).toContain('Start version 9.1.0, or restore the backup');
    await worker.close();
    await world.close();
  }, 180_000);
});
