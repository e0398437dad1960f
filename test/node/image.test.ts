// Tests the image of the Dockerfile without a container engine: what it is built of, and a gateway that runs as its user,
// without capabilities, over its files. docs/deploy/README.md
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildContext, buildImage, type Container, describeImage, type Image } from '../support/image.ts';
import { freePort } from '../support/listen.ts';
import { asFiles, done } from '../support/jots.ts';
import { call } from '../support/mcp.ts';

// The image is built once, and each process starts as in a container.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const secret = () => randomBytes(32).toString('hex');

it('is built of no secret, no data and no installed package', () => {
  const files = buildContext();
  expect(files).toEqual(
    expect.arrayContaining(['package.json', 'package-lock.json', '.npmrc', 'src/app.ts']),
  );
  expect(files.filter((file) => /(^|\/)(node_modules|data|dist|\.env|secrets)(\/|$)/.test(file))).toEqual([]);
});

describeImage('the image', () => {
  let image: Image;
  let env: Record<string, string>;
  let base: string;
  let container: Container;
  let apiKey: string;
  const at = { request: (path: string, init?: RequestInit) => fetch(new URL(path, base), init) };
  const owner = () => ({ keyHeader: { 'x-service-api-key': apiKey } });

  async function start(): Promise<void> {
    container = image.run(env);
    await container.says('"event":"listening"');
  }

  /** Runs a command beside the gateway, as `docker exec` does. */
  async function exec(...command: string[]) {
    const program = image.run(env, command);
    const { code } = await program.exited;
    return { code, ...program.output };
  }

  beforeAll(async () => {
    image = buildImage();
    const port = String(await freePort());
    base = `http://127.0.0.1:${port}`;
    env = {
      PORT: port,
      SERVER_PUBLIC_URL: `http://localhost:${port}`,
      SESSION_SECRET: secret(),
      ENCRYPTION_KEY: secret(),
      AUDIT_SIGNING_KEY: secret(),
    };
    await start();
    apiKey = /API key +([0-9a-f]{64})/.exec(container.output.stdout)?.[1] ?? '';
  });
  afterAll(async () => {
    container?.signal('SIGKILL', 'group');
    await container?.exited;
    image?.remove();
  });

  it('runs as a user of its own without any capability', async () => {
    const first = await container.pid();
    const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ');
    expect(children).toHaveLength(1);
    for (const pid of [first, ...children]) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
      for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
        expect(status).toMatch(new RegExp(`^Cap${set}:\\t0+$`, 'm'));
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    }
  });

  it('serves the portal and the tools', async () => {
    expect(await (await at.request('/api/health/ready')).json()).toEqual({ status: 'ok' });
    expect(await (await at.request('/')).text()).toContain('<div id="portal"');
    const { results } = await call(at, owner().keyHeader, 'execute_tools', {
      executions: [{ tool: 'time_now', args: {} }],
    });
    expect(results[0]).toHaveProperty('result.iso');
  });

  it('has a browser, which draws the picture of a jot', async () => {
    await done(at, owner(), 'deploy_jot', {
      name: 'drawn',
      files: asFiles({ 'index.html': '<h1>Drawn</h1>' }),
    });
    const session = (await exec('node', 'dist/server/link.js')).stdout.split('#token=')[1]?.trim();
    const picture = async () => {
      const listed = await at.request('/api/jots', { headers: { authorization: `Bearer ${session}` } });
      return (await listed.json()).jots[0].thumbnail;
    };
    await expect.poll(picture, { timeout: 60_000 }).toMatch(/^\/api\/jots\/drawn\/thumbnail/);
  }, 90_000);

  it('finds the code that was compiled when it was built, and cannot change it', async () => {
    const folder = join(image.root, image.env['NODE_COMPILE_CACHE'] ?? '');
    const compiled = execFileSync('find', [folder], { encoding: 'utf8' }).trim().split('\n');
    expect(compiled.length).toBeGreaterThan(3);
    for (const file of compiled) {
      expect(statSync(file)).toMatchObject({ uid: 0 });
      expect(statSync(file).mode & 0o022, file).toBe(0);
    }
    // Node.js says what it takes from the cache, and this start ends before it listens.
    const start = image.run({ ...env, PORT: 'none', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    expect(await start.exited).toMatchObject({ code: 1 });
    expect(start.output.stdout + start.output.stderr).toMatch(/gateway\.js was accepted/);
  });

  it('runs the commands of its operator beside the gateway', async () => {
    expect(await exec('node', 'dist/server/users.js', 'list')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('owner@localhost'),
    });
    expect(await exec('node', 'dist/server/audit.js', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Everything fits.'),
    });
    expect(await exec('node', 'dist/server/backup.js', '/data/gateway.tar.gz')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Wrote /data/gateway.tar.gz'),
    });
  });

  it('stops on its signal, and continues with its data', async () => {
    expect(await container.stop()).toEqual({ code: 0, signal: null });
    expect(container.output.stdout).toContain('"event":"stopped"');
    await start();
    expect(await (await at.request('/j/drawn/')).text()).toContain('<h1>Drawn</h1>');
    expect(readdirSync(image.root).toSorted()).toEqual(
      'app bin data dev etc home lib lib64 proc sbin tmp usr'.split(' '),
    );
    expect(readdirSync(join(image.root, 'home/node'))).toEqual([]);
  });
});
