// Tests npm run dev:split as its user: a Worker in workerd and a Node gateway behind it, on one PostgreSQL and one bucket. docs/edge.md
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type Person, type Running, type World } from '../contracts/app/world.ts';
import { describeInChromium } from '../support/chromium.ts';
import { type Program, runProgram } from '../support/gateway-process.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { done, publish } from '../support/jots.ts';
import { freePort } from '../support/listen.ts';
import { createViewer } from '../support/live-viewer.ts';
import { variablesOf } from '../support/marked-processes.ts';
import { call } from '../support/mcp.ts';
import { createPostgresDatabase, describeService, postgresUrl } from '../support/services.ts';
import { describeSwift, startSwift } from '../support/swift.ts';

const run = promisify(execFile);
const SPLIT = ['node', 'adapters/node/launch.mjs', 'adapters/workers/dev-split.ts'];
const ROOT = join(import.meta.dirname, '../..');

it('says what it needs, and where that comes from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-split-'));
  const program = runProgram(SPLIT, { DATA_DIR: folder, HOME: folder });
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(program.output.stderr).toMatch(
    /DATABASE_URL must be postgres:.*\n +BLOBS_URL must be s3:.*\n.*examples\/split/,
  );
  await rm(folder, { recursive: true, force: true });
}, 60_000);

await describeService('npm run dev:split', postgresUrl(), () => {
  describeSwift('with a bucket', () => {
    let world: World;
    let host: GitServer;
    let folder: string;
    let program: Program;
    let edge: Running;
    let node: Running;
    let ana: Person;
    let nodePort: number;
    const ended: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      world = await openWorld();
      host = await startGitServer('ana', 's3cret');
      folder = await mkdtemp(join(tmpdir(), 'dev-split-'));
      const database = await createPostgresDatabase();
      const swift = await startSwift();
      ended.push(() => swift.close(), database.drop);
      const { endpoint, bucket, region, accessKeyId, secretAccessKey } = swift.place;
      const port = await freePort();
      program = runProgram(SPLIT, {
        ...world.env,
        PORT: String(port),
        DATA_DIR: folder,
        HOME: folder,
        CI: 'true',
        DATABASE_URL: database.url,
        BLOBS_URL: `s3://${bucket}?endpoint=${endpoint}&region=${region}`,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      });
      await program.says('Ready on');
      edge = at(port);
      nodePort = port + 1;
      node = at(nodePort);
      ana = await world.person(edge, 'ana');
    }, 240_000);
    afterAll(async () => {
      program.signal('SIGTERM');
      await program.exited;
      for (const end of ended) await end();
      await host.close();
      await world.close();
      await rm(folder, { recursive: true, force: true });
    });

    const at = (port: number): Running => ({
      publicUrl: `http://localhost:${port}`,
      proxies: true,
      request: (path, init) =>
        fetch(new URL(path, `http://localhost:${port}`), { redirect: 'manual', ...init }),
      close: async () => {},
    });

    it('clones with git through the edge, with a connection made there', async () => {
      const values = { username: 'ana', token: 's3cret', instanceUrl: host.url };
      const connected = await edge.request('/api/auth/apikey/git', {
        method: 'POST',
        headers: { ...ana.key, 'content-type': 'application/json' },
        body: JSON.stringify({ values }),
      });
      expect(await connected.json()).toMatchObject({ success: true });
      const { token } = await call(edge, ana.key, 'curl_session', { integrations: ['git'] });
      const header = `http.${edge.publicUrl}/.extraHeader=Authorization: Bearer ${token}`;
      const env = { PATH: process.env['PATH'], HOME: folder, GIT_TERMINAL_PROMPT: '0' };
      const address = `${edge.publicUrl}/c/git/acme/app.git`;
      await run('git', ['-c', header, 'clone', address, 'copy'], { cwd: folder, env });
      expect(await readFile(join(folder, 'copy/.git/config'), 'utf8')).toContain('/c/git/acme/app.git');
      expect(host.seen.at(-1)).toMatch(/^Basic /);
    });

    it('serves at each half the jot that was published at the other', async () => {
      for (const [here, there, name] of [
        [edge, node, 'of-the-edge'],
        [node, edge, 'of-node'],
      ] as const) {
        await publish(here, { keyHeader: ana.key }, name, { 'a.txt': `bytes ${name}` });
        const { jots } = await done(there, { keyHeader: ana.key }, 'list_jots', {});
        const found = jots.find((jot: { name: string }) => jot.name === name);
        const { pathname } = new URL(found.url);
        const file = await there.request(`${pathname.replace(/\/?$/, '/')}a.txt`);
        expect([file.status, await file.text()]).toEqual([200, `bytes ${name}`]);
      }
    });

    it('says that the Node gateway is away, and uses it again when it is back', async () => {
      const { token } = await call(edge, ana.key, 'curl_session', { integrations: ['git'] });
      const ask = () =>
        edge.request('/c/git/acme/app.git/info/refs?service=git-upload-pack', {
          headers: { authorization: `Bearer ${token}` },
        });
      expect((await ask()).status).toBe(200);
      for (const pid of nodeProcesses(nodePort)) process.kill(pid, 'SIGKILL');
      await expect.poll(async () => (await ask()).status, { timeout: 10_000, interval: 5 }).toBe(503);
      const now = { executions: [{ tool: 'time_now', args: {} }] };
      expect((await call(edge, ana.key, 'execute_tools', now)).results[0]).toHaveProperty('result');
      await expect.poll(async () => (await ask()).status, { timeout: 60_000, interval: 200 }).toBe(200);
    }, 120_000);

    it('tells an agent about the sign-in for which it began to wait before the Worker was replaced', async () => {
      const asked = await call(edge, ana.key, 'connect', { integration: 'github' });
      const wait = { connectionId: asked.connectionId, timeoutSec: 40 };
      const replaced = Promise.withResolvers<void>();
      /** Asks again where the time of a wait is over, and where the old Worker has cut it, as an agent does. */
      async function untilTold(): Promise<unknown> {
        for (;;) {
          const answer = await call(edge, ana.key, 'wait_for_connection', wait).catch(() => null);
          if (answer === null) await replaced.promise;
          else if (answer.status !== 'TIMEOUT') return answer;
        }
      }
      const told = untilTold();
      const before = program.output.stdout.length;
      // Wrangler makes the Worker anew when a file of it was written.
      const written = new Date();
      await utimes(join(ROOT, 'adapters/workers/worker.ts'), written, written);
      await expect
        .poll(() => program.output.stdout.slice(before), { timeout: 150_000 })
        .toMatch(/Local server updated and ready/);
      replaced.resolve();
      const state = new URL(asked.url).searchParams.get('state');
      const back = await edge.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
      expect(back.status).toBe(302);
      expect(await told).toEqual({ status: 'CONNECTED' });
    }, 240_000);

    describeInChromium('the live view through the edge', () => {
      it('drives a browser of the Node gateway', async () => {
        const { publicUrl: base } = edge;
        const viewer = createViewer(
          { base, origin: base },
          {
            sessionHeader: { authorization: ana.session['authorization'] ?? '' },
          },
        );
        const stream = await viewer.open();
        expect((await viewer.ask(stream, 'Page.getLayoutMetrics')).result).toBeDefined();
        expect((await viewer.post('detach')).status).toBe(204);
        expect(await stream.closed).toBe('detached');
      });
    });
  });
});

/** Finds the processes of the Node gateway by their port. */
const nodeProcesses = (port: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && variablesOf(name).includes(`PORT=${port}`))
    .map(Number);
