// Runs a process of 0.2 and one of this version on one database at the same time, as while an operator replaces processes one
// after the other: each serves calls and reads what the other wrote. decision: 005
// The sources of 0.2 come from the history of this repository and run with today's packages.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWorld, type Person, type Running, UPSTREAM_TOKEN, type World } from '../contracts/app/world.ts';
import { type Gateway, openSite, ROOT, type Site } from '../support/gateway-process.ts';
import { call } from '../support/mcp.ts';
import { CALLBACK, refresh, registered, token } from '../support/oauth-client.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const COMMIT = '9196e656';
const git = (...args: string[]) =>
  execFileSync('git', ['-C', ROOT, ...args], { maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });

/** Unpacks 0.2, or returns null where the history does not reach back to it. */
function unpack(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-0.2-'));
  try {
    const parts = ['adapters', 'drivers', 'integrations', 'portal', 'src', 'package.json'];
    execFileSync('tar', ['--extract', `--directory=${folder}`], { input: git('archive', COMMIT, ...parts) });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    console.warn(`skipped: two versions side by side need the commit ${COMMIT}`);
    return null;
  }
}

const sources = unpack();
afterAll(() => {
  if (sources !== null) rmSync(sources, { recursive: true });
});

const runningAt = (gateway: Gateway): Running => ({
  publicUrl: gateway.base,
  request: (path, init) => gateway.request(path, { redirect: 'manual', ...init }),
  proxies: true,
  close: async () => {},
});

async function send(
  at: Running,
  person: Pick<Person, 'session'>,
  method: string,
  path: string,
  body?: object,
) {
  const headers = { ...person.session, 'content-type': 'application/json' };
  const response = await at.request(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function run(at: Running, key: Record<string, string>, tool: string, args: object) {
  return (await call(at, key, 'execute_tools', { executions: [{ tool, args }] })).results[0];
}

function sideBySide(
  name: string,
  open: () => Promise<{ env: Record<string, string>; remove(): Promise<void> }>,
) {
  describe.skipIf(sources === null)(`0.2 and this version on one ${name}`, () => {
    let site: Site;
    let world: World;
    let opened: { env: Record<string, string>; remove(): Promise<void> };
    let env: Record<string, string>;
    let ana: Person;
    let former: Running;
    let later: Running;
    let gateways: Gateway[];
    beforeAll(async () => {
      [site, world, opened] = await Promise.all([openSite(), openWorld(), open()]);
      mkdirSync(site.dataDir, { recursive: true });
      env = { ...world.env, ...opened.env, SERVER_PUBLIC_URL: 'http://localhost:3000' };
      const main = join(sources ?? '', 'adapters/node/main.ts');
      const command = ['node', join(sources ?? '', 'adapters/node/launch.mjs'), main];
      const first = await site.start({ env, command });
      former = runningAt(first);
      // Its statements are prepared before the other changes the tables.
      ana = await world.person(former, 'ana');
      await run(former, ana.key, 'time_now', {});
      await send(former, ana, 'GET', '/api/audit');
      const second = await site.start({ env });
      later = runningAt(second);
      gateways = [first, second];
    });
    afterAll(async () => {
      await site.close();
      await world.close();
      await opened.remove();
    });

    it('are two versions', async () => {
      // Version 0.2 has no sets.
      expect((await send(former, ana, 'GET', '/api/sets')).status).toBe(404);
      expect((await send(later, ana, 'GET', '/api/sets')).status).toBe(200);
    });

    const directions: [string, () => [Running, Running]][] = [
      ['0.2 writes and this version reads', () => [former, later]],
      ['this version writes and 0.2 reads', () => [later, former]],
    ];
    describe.each(directions)('%s', (direction, sides) => {
      const isFirst = direction.startsWith('0.2');

      it('connections, and their end', async () => {
        const [one, other] = sides();
        const apiKey = `re_${isFirst ? 'former' : 'later'}`;
        const values = { values: { apiKey } };
        expect(await send(one, ana, 'POST', '/api/auth/apikey/resend', values)).toMatchObject({
          status: 200,
        });
        expect(await run(other, ana.key, 'resend_list_domains', {})).toMatchObject({ result: {} });
        expect(world.calls.at(-1)).toMatchObject({ authorization: `Bearer ${apiKey}` });
        const { body } = await send(one, ana, 'GET', '/api/auth/github');
        const state = new URL(body.url).searchParams.get('state');
        const back = await other.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
        expect(back.status).toBe(302);
        expect(await run(one, ana.key, 'github_list_issues', { owner: 'o', repo: 'r' })).toMatchObject({
          result: {},
        });
        expect(world.calls.map(({ authorization }) => authorization)).toContain(`Bearer ${UPSTREAM_TOKEN}`);
        expect((await send(one, ana, 'DELETE', '/api/connections/resend')).status).toBe(200);
        expect(await run(other, ana.key, 'resend_list_domains', {})).toMatchObject({
          error: 'NOT_CONNECTED',
        });
      });

      it('people, keys, rules and approvals', async () => {
        const [one, other] = sides();
        const name = isFirst ? 'ben' : 'cem';
        const person = await world.person(one, name);
        expect(await send(other, person, 'GET', '/api/auth/me')).toMatchObject({
          body: { email: person.email },
        });
        const made = await send(one, ana, 'POST', '/api/agent-keys', { name, access: 'read' });
        const robot = { 'x-service-api-key': made.body.key };
        expect(await run(other, robot, 'time_now', {})).toMatchObject({ result: {} });
        const rules = { rules: [{ tool: 'time_now', decision: 'ask' }] };
        expect((await send(one, ana, 'PUT', '/api/policy', rules)).status).toBe(200);
        const asked = await run(other, ana.key, 'time_now', {});
        expect(asked).toMatchObject({ error: 'APPROVAL_REQUIRED' });
        const path = `/api/approvals/${asked.approval.id}`;
        expect((await send(one, ana, 'POST', path, { decision: 'approve' })).status).toBe(200);
        expect(await run(other, ana.key, 'time_now', {})).toMatchObject({ result: {} });
        expect((await send(other, ana, 'PUT', '/api/policy', { rules: [] })).status).toBe(200);
        expect(await run(one, ana.key, 'time_now', {})).toMatchObject({ result: {} });
      });

      it('sign-ins of applications', async () => {
        const [one, other] = sides();
        const clientId = await registered(one);
        const code = await world.authorize(other, 'ana', clientId);
        const fields = { code, client_id: clientId, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };
        const given = await token(one, { grant_type: 'authorization_code', ...fields });
        expect(given).toMatchObject({ status: 200 });
        const rotated = await refresh(other, clientId, given.body.refresh_token);
        expect(rotated).toMatchObject({ status: 200 });
        expect(await refresh(one, clientId, rotated.body.refresh_token)).toMatchObject({ status: 200 });
      });

      it('pages and imports', async () => {
        const [one, other] = sides();
        const name = isFirst ? 'former' : 'later';
        const files = [{ path: 'index.html', content: name }];
        expect(await run(one, ana.key, 'deploy_jot', { name, files })).toMatchObject({ result: {} });
        expect(await (await other.request(`/j/${name}/`)).text()).toBe(name);
        const document = JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'Shop', version: '1' },
          servers: [{ url: 'https://api.github.com' }],
          paths: {
            '/items': { get: { operationId: 'listItems', responses: { 200: { description: 'Done' } } } },
          },
        });
        const added = await send(one, ana, 'POST', '/api/imports', { document, name });
        expect(added, JSON.stringify(added.body)).toMatchObject({ status: 201 });
        expect(await run(other, ana.key, `${name}_list_items`, {})).toMatchObject({ result: {} });
        expect((await send(other, ana, 'DELETE', `/api/imports/${name}`)).status).toBe(200);
      });

      it('calls of both at once, each of them in one list', async () => {
        const [one, other] = sides();
        const timeZone = isFirst ? 'Europe/Berlin' : 'Asia/Tokyo';
        const calls = Array.from({ length: 40 }, (_, n) =>
          run(n % 2 === 0 ? one : other, ana.key, 'time_now', { timeZone }),
        );
        for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ result: {} });
        const [own, others] = await Promise.all(
          [one, other].map(
            async (side) => (await send(side, ana, 'GET', '/api/audit?limit=100')).body.entries,
          ),
        );
        const ids = (entries: { id: number }[]) => entries.slice(0, 40).map(({ id }) => id);
        expect(new Set(ids(own)).size).toBe(40);
        expect(ids(others)).toEqual(ids(own));
      });
    });

    it('has logged no error, and the seals are true', async () => {
      for (const gateway of gateways) {
        await gateway.stop();
        const lines = gateway.output.stdout.split('\n');
        expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
      }
      const verified = await site.audit(['verify'], env);
      expect(verified, verified.stderr).toMatchObject({ code: 0 });
    });
  });
}

sideBySide('SQLite file', async () => ({ env: {}, remove: async () => {} }));
await describeService('two versions side by side', postgresUrl(), () =>
  sideBySide('PostgreSQL', async () => {
    const { url, drop } = await createPostgresSchema();
    return { env: { DATABASE_URL: url }, remove: drop };
  }),
);
