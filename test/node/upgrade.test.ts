// Starts this version on what gateways of 0.1 and 0.2 left behind, as their operator does: the data folder, PostgreSQL with
// the folder of the blobs, and D1 with R2. People, agents and the operator then use everything in it. decision: 005
// make.ts of test/fixtures/gateway-0.1 and gateway-0.2 made all of it with the sources of these versions; at 0.2 every table
// has rows. contracts/store-upgrade.test.ts starts on rows of every table of 0.1.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createR2Blobs, type R2Bucket } from '../../drivers/blobs/r2.ts';
import { createSchema } from '../../drivers/sql/engine.ts';
import { CURRENT } from '../../drivers/sql/migrations.ts';
import { type D1Database, openD1 } from '../../drivers/sql/d1.ts';
import { openWorld, type Running, UPSTREAM_TOKEN, type World } from '../contracts/app/world.ts';
import { statements } from '../contracts/store/filled.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Gateway, openSite, ROOT, runProgram, type Site } from '../support/gateway-process.ts';
import { call, rpc } from '../support/mcp.ts';
import { CALLBACK, refresh, token } from '../support/oauth-client.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { type RunningWorker, startHarness } from '../support/worker.ts';
import { readAnswers } from '../fixtures/gateway-0.2/answers.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const WEEK = 7 * 86_400;
type Version = '0.1' | '0.2';
type Name = 'sqlite' | 'postgres' | 'd1';
const fixture = (version: Version, name: Name, file: string) =>
  join(ROOT, `test/fixtures/gateway-${version}`, name, file);
const readFixture = (version: Version, name: Name, file: string) =>
  readFileSync(fixture(version, name, file), 'utf8');

/** The application was last used when the fixture was made, and the calls waited then. Here that was a moment ago. */
function lastUsedNow(version: Version): string[] {
  const later = Math.floor(Date.now() / 1000) + WEEK;
  const tokens = `update refresh_tokens set expires_at = ${later}`;
  return version === '0.1' ? [tokens] : [tokens, `update approvals set expires_at = ${later}`];
}

interface Subject {
  gateway: Pick<Running, 'request' | 'publicUrl'>;
  world: World;
}

function sentences(version: Version, name: Name, at: () => Subject): void {
  const known = JSON.parse(readFixture(version, name, 'known.json'));
  const { ana, ben } = known;
  const ask = async (path: string, init?: RequestInit) => (await at().gateway.request(path, init)).json();
  const run = async (tool: string, args: object, key = ana.key) =>
    (await call(at().gateway, key, 'execute_tools', { executions: [{ tool, args }] })).results[0];
  /** Answers as the sign-in of a browser wants it. */
  const running = () => {
    const { gateway } = at();
    const request: Running['request'] = (path, init) =>
      gateway.request(path, { redirect: 'manual', ...init });
    return { ...gateway, request, proxies: true, close: async () => {} };
  };

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
    expect(sent).toContainEqual({
      path: '/domains',
      authorization: `Bearer re_of_${version === '0.1' ? '0_1' : version}`,
    });
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

  it(`signs people in as who they were, also for an application that registered at ${version}`, async () => {
    const code = await at().world.authorize(running(), 'ana', known.clientId);
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
    expect(await text('/j/hello/')).toContain(`<h1>a page of ${version}</h1>`);
    expect((await at().gateway.request('/j/locked/')).status).toBe(401);
    const unlocked = await at().gateway.request('/j/locked/__auth', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password: 'open sesame' }),
    });
    const [cookie = ''] = unlocked.headers.getSetCookie();
    expect(await text('/j/locked/', cookie.split(';')[0])).toContain(`<h1>a secret of ${version}</h1>`);
    const files = [{ path: 'index.html', content: '<h1>a page of this version</h1>' }];
    expect(await run('deploy_jot', { name: 'hello', files })).toMatchObject({ result: { name: 'hello' } });
    expect(await text('/j/hello/')).toContain('<h1>a page of this version</h1>');
  });

  it(`shows the calls of ${version} below its own`, async () => {
    const { entries } = await ask('/api/audit?limit=100', { headers: ana.key });
    const facts = entries.map(({ tool, success }: { tool: string; success: boolean }) => ({
      tool,
      success,
    }));
    expect(facts.length).toBeGreaterThan(known.audit.length);
    expect(facts.slice(-known.audit.length)).toEqual(known.audit);
  });
}

/** What a person, an agent and an administrator had at 0.2 and not at 0.1. */
function sentencesOf02(name: Name, at: () => Subject): void {
  const known = JSON.parse(readFixture('0.2', name, 'known.json'));
  const { ana, ben } = known;
  const ask = async (path: string, init?: RequestInit) => (await at().gateway.request(path, init)).json();
  const run = async (tool: string, args: object, key = ana.key) =>
    (await call(at().gateway, key, 'execute_tools', { executions: [{ tool, args }] })).results[0];

  it('answers about all that is stored as 0.2 did', async () => {
    const { gateway, world } = at();
    const request: Running['request'] = (path, init) =>
      gateway.request(path, { redirect: 'manual', ...init });
    const running = { ...gateway, request, proxies: true, close: async () => {} };
    const answers = await readAnswers(gateway, await world.signIn(running, 'ana'));
    expect(differences(known.answers, answers)).toEqual([]);
  });

  it('keeps out whom an administrator has disabled', async () => {
    expect((await at().gateway.request('/api/auth/me', { headers: known.disabled })).status).toBe(401);
  });

  it('runs once what a person had approved, and asks about the rest', async () => {
    const issue = { owner: 'o', repo: 'r' };
    const waiting = await ask(`/api/approvals/${known.waiting}`, { headers: ana.key });
    expect(waiting).toMatchObject({ tool: 'github_create_issue', args: { ...issue, title: 'waits' } });
    expect(await run('github_create_issue', { ...issue, title: 'approved' })).toMatchObject({ result: {} });
    expect(await run('github_create_issue', { ...issue, title: 'waits' })).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      approval: { id: known.waiting },
    });
  });

  it('holds the agents to their limits', async () => {
    const robot = { 'x-service-api-key': known.robot };
    expect(await run('time_now', {}, robot)).toMatchObject({ result: {} });
    const refused = await run('github_create_issue', { owner: 'o', repo: 'r', title: 'no' }, robot);
    expect(refused).toMatchObject({ error: expect.any(String) });
    expect(refused.approval).toBeUndefined();
  });

  it('calls with the connection of the team and with an import', async () => {
    expect(await run('resend_list_domains', {}, ben.key)).toMatchObject({ result: {} });
    expect(await run('shop_get_item', { id: '7' })).toMatchObject({ result: {} });
    const sent = at().world.calls.map(({ path, authorization }) => ({ path, authorization }));
    expect(sent).toContainEqual({ path: '/domains', authorization: 'Bearer re_of_the_team' });
    expect(sent).toContainEqual({ path: '/items/7', authorization: undefined });
  });
}

/** The places where a later answer does not have what the former had. It may have more, in another order. */
function differences(former: unknown, later: unknown, place = ''): string[] {
  if (typeof former !== 'object' || former === null)
    return former === later
      ? []
      : [`${place}: ${JSON.stringify(later)} in place of ${JSON.stringify(former)}`];
  if (Array.isArray(former)) {
    const others: unknown[] = Array.isArray(later) ? later : [];
    return former.flatMap((each, index) => {
      const found = others.map((other) => differences(each, other, `${place}[${index}]`));
      return (
        found.toSorted((one, another) => one.length - another.length)[0] ?? [`${place}[${index}] is gone`]
      );
    });
  }
  const members = new Map(Object.entries(later ?? {}));
  return Object.entries(former).flatMap(([member, value]) =>
    differences(value, members.get(member), `${place}.${member}`),
  );
}

interface Opened {
  /** The settings beside those of the sign-in provider and the upstream. */
  env: Record<string, string>;
  databaseUrl: string;
  remove(): Promise<void>;
}

function upgrade(version: Version, name: 'sqlite' | 'postgres', open: (site: Site) => Promise<Opened>): void {
  describe(`what a gateway of ${version} left on ${name}`, () => {
    let site: Site;
    let world: World;
    let opened: Opened;
    let gateway: Gateway;
    let env: Record<string, string>;
    beforeAll(async () => {
      [site, world] = await Promise.all([openSite(), openWorld()]);
      mkdirSync(dirname(site.dataDir), { recursive: true });
      const archive = fixture(version, name, 'data.tar.gz');
      execFileSync('tar', [
        '--extract',
        '--gzip',
        `--file=${archive}`,
        `--directory=${dirname(site.dataDir)}`,
      ]);
      opened = await open(site);
      const engine = openAt(opened.databaseUrl);
      for (const line of lastUsedNow(version)) await engine.run(CompiledQuery.raw(line));
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

    const at = () => ({ gateway: { ...gateway, publicUrl: gateway.base }, world });
    if (version === '0.2') sentencesOf02(name, at);
    sentences(version, name, at);

    it(`proves the calls of ${version}`, async () => {
      // Rows of 0.1 that are older than ten minutes are sealed after the start; 0.2 has sealed its own.
      if (version === '0.1') await gateway.says('audit segment sealed');
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

    it.skipIf(version === '0.1')('deletes a person, and the seals stay true', async () => {
      const deleted = await site.users(['delete', '--email', 'ben@example.com'], env);
      expect(deleted, deleted.stderr).toMatchObject({ code: 0 });
      const { ben } = JSON.parse(readFixture(version, name, 'known.json'));
      await expect
        .poll(async () => (await gateway.request('/api/auth/me', { headers: ben.key })).status)
        .toBe(401);
      expect(await site.audit(['verify'], env)).toMatchObject({ code: 0 });
    });

    it.skipIf(version === '0.1')('seals everything with a new key', async () => {
      const kept = join(site.dataDir, 'encryption-key');
      const former = readFileSync(kept, 'utf8').trim();
      rmSync(kept);
      env = { ...env, ENCRYPTION_KEY: '0f1e2d3c4b5a6978'.repeat(4) };
      await gateway.stop();
      const rotated = await runProgram(['node', 'adapters/node/launch.mjs', 'adapters/node/rotate-keys.ts'], {
        DATA_DIR: site.dataDir,
        ...env,
        ENCRYPTION_KEY_PREVIOUS: former,
      }).exited;
      expect(rotated).toMatchObject({ code: 0 });
      gateway = await site.start({ env });
      const { ana } = JSON.parse(readFixture(version, name, 'known.json'));
      const executions = [{ tool: 'resend_list_domains', args: {} }];
      expect((await call(gateway, ana.key, 'execute_tools', { executions })).results[0]).toMatchObject({
        result: {},
      });
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
        expect.arrayContaining(['audit-signing-key', 'session-secret']),
      );
    });
  });
}

for (const version of ['0.1', '0.2'] as const) {
  upgrade(version, 'sqlite', async ({ dataDir }) => ({
    env: {},
    databaseUrl: `sqlite:${join(dataDir, 'service.db')}`,
    remove: async () => {},
  }));
  await describeService(`what a gateway of ${version} left`, postgresUrl(), () =>
    upgrade(version, 'postgres', async () => {
      const { url, drop } = await createPostgresSchema();
      const engine = openAt(url);
      for (const statement of statements(readFixture(version, 'postgres', 'rows.sql')))
        await engine.run(CompiledQuery.raw(statement));
      await engine.close();
      return { env: { DATABASE_URL: url }, databaseUrl: url, remove: drop };
    }),
  );

  describe(`what a Worker of ${version} left on D1 and R2`, () => {
    let world: World;
    let worker: RunningWorker;
    beforeAll(async () => {
      world = await openWorld();
      // The key that sealed the calls of the fixture.
      const started = await startHarness({
        vars: { ...world.env, AUDIT_SIGNING_KEY: '13579bdf02468ace'.repeat(4) },
      });
      worker = started;
      const { DB, BLOBS } = await started.harness.getWorker<{ DB: D1Database; BLOBS: R2Bucket }>().getEnv();
      const database = openD1(DB);
      for (const line of [...statements(readFixture(version, 'd1', 'rows.sql')), ...lastUsedNow(version)])
        await database.run(CompiledQuery.raw(line));
      const blobs = createR2Blobs(BLOBS);
      const kept: Record<string, string> = JSON.parse(readFixture(version, 'd1', 'blobs.json'));
      for (const [key, bytes] of Object.entries(kept))
        await blobs.put(key, new Uint8Array(Buffer.from(bytes, 'base64')));
    });
    afterAll(async () => {
      await worker.close();
      await world.close();
    });

    const at = () => ({ gateway: worker, world });
    if (version === '0.2') sentencesOf02('d1', at);
    sentences(version, 'd1', at);
  });
}

describe('a backup of 0.2', () => {
  it('is restored by this version, with everything in it', async () => {
    const [site, world] = await Promise.all([openSite(), openWorld()]);
    const { SESSION_SECRET: _session, ENCRYPTION_KEY: _key, ...env } = world.env;
    const restored = await site.restore([fixture('0.2', 'sqlite', 'backup.tar.gz')], env);
    expect(restored, restored.stderr).toMatchObject({ code: 0 });
    const gateway = await site.start({ env });
    const { ana } = JSON.parse(readFixture('0.2', 'sqlite', 'known.json'));
    const executions = [{ tool: 'resend_list_domains', args: {} }];
    expect((await call(gateway, ana.key, 'execute_tools', { executions })).results[0]).toMatchObject({
      result: {},
    });
    expect(await (await gateway.request('/j/hello/')).text()).toContain('a page of 0.2');
    expect(await site.audit(['verify'], env)).toMatchObject({ code: 0 });
    await site.close();
    await world.close();
  });
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
