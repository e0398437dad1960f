// Tests npm run backup beside a gateway that is written to, and npm run restore into another folder.
// docs/operating.md
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Banner, type Gateway, openSite, ROOT, type Site } from '../support/gateway-process.ts';
import { asFiles, done } from '../support/jots.ts';
import { call } from '../support/mcp.ts';

// Each command is a process of its own, which takes seconds on a loaded machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const JOTS = 8;

let from: Site;
let to: Site;
beforeEach(async () => {
  from = await openSite();
  to = await openSite();
});
afterEach(() => Promise.all([from.close(), to.close()]));

const ownerOf = ({ apiKey }: Banner) => ({ keyHeader: { 'x-service-api-key': apiKey } });

/** Replaces jots without a pause until it is stopped, and tells which version of each one is acknowledged. */
function write(gateway: Gateway & Banner) {
  const acknowledged = new Map<string, number>();
  let version = 0;
  let isStopped = false;
  async function work(): Promise<void> {
    while (!isStopped) {
      const own = ++version;
      const name = `jot-${own % JOTS}`;
      await done(gateway, ownerOf(gateway), 'deploy_jot', {
        name,
        files: asFiles({ 'index.html': `version ${own}` }),
      });
      acknowledged.set(name, Math.max(acknowledged.get(name) ?? 0, own));
    }
  }
  const working = work();
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await working;
    },
  };
}

async function versionOf(gateway: Gateway, name: string): Promise<number> {
  const page = await gateway.request(`/j/${name}/`);
  return Number(/^version (\d+)$/.exec(await page.text())?.[1]);
}

async function backupShownBy({ request, session }: Gateway & Banner): Promise<unknown> {
  const answer = await request('/api/admin/gateway', { headers: { authorization: `Bearer ${session}` } });
  const { instruments }: { instruments: { name: string }[] } = await answer.json();
  return instruments.find(({ name }) => name === 'backup');
}

it('backs up a gateway under load and restores it whole, with its secrets', async () => {
  const gateway = await from.start();
  await mkdir(join(from.dataDir, 'browsers', 'someone', 'Default'), { recursive: true });
  await writeFile(join(from.dataDir, 'browsers', 'someone', 'Default', 'Cookies'), 'kept');
  const writing = write(gateway);
  await vi.waitUntil(() => writing.acknowledged.size === JOTS, 60_000);
  const before = new Map(writing.acknowledged);
  const file = join(dirname(from.dataDir), 'gateway.tar.gz');
  const made = await from.backup([file, '--with-secrets']);
  await writing.stop();
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toMatch(/browser profiles {2}1 files/);
  expect(Math.max(...writing.acknowledged.values()), 'it was written to all the while').toBeGreaterThan(
    Math.max(...before.values()),
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await backupShownBy(gateway)).toMatchObject({ state: 'good', at: expect.any(Number) });
  expect(await readdir(dirname(file)), 'nothing else is left behind').toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^\.backup-/)]),
  );
  await gateway.stop();

  expect(await to.restore([file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Start the gateway'),
  });
  expect(await readFile(join(to.dataDir, 'browsers', 'someone', 'Default', 'Cookies'), 'utf8')).toBe('kept');
  const restored = await to.start();
  for (const [name, version] of before)
    expect(await versionOf(restored, name), name).toBeGreaterThanOrEqual(version);
  // The key of the old gateway opens the new one, and the session that the old one signed too.
  const { results } = await call(restored, ownerOf(gateway).keyHeader, 'execute_tools', {
    executions: [{ tool: 'time_now', args: {} }],
  });
  expect(results[0]).toHaveProperty('result');
  const me = await restored.request('/api/auth/me', {
    headers: { authorization: `Bearer ${gateway.session}` },
  });
  expect(me.status).toBe(200);
  await restored.stop();
  expect(await to.restore([file]), 'a folder with a gateway is left alone').toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists already'),
  });
});

it('leaves secrets out unless asked, and refuses what would lose something', async () => {
  const file = join(dirname(from.dataDir), 'gateway.tar.gz');
  expect(await from.backup([file])).toMatchObject({ code: 1, stderr: expect.stringContaining('no gateway') });
  const gateway = await from.start();
  expect(await from.backup([])).toMatchObject({ code: 1, stderr: expect.stringContaining('usage') });
  expect(
    await from.backup([file], { DATABASE_URL: 'postgres://127.0.0.1/none', ENCRYPTION_KEY: 'a'.repeat(64) }),
  ).toMatchObject({ code: 1, stderr: expect.stringContaining('PostgreSQL') });
  const made = await from.backup([file]);
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('keep ENCRYPTION_KEY, SESSION_SECRET and AUDIT_SIGNING_KEY'),
  });
  expect(await from.backup([file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Choose another name'),
  });
  await gateway.stop();

  const restored = await to.restore([file]);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('set ENCRYPTION_KEY, SESSION_SECRET and AUDIT_SIGNING_KEY'),
  });
  for (const secret of ['session-secret', 'encryption-key', 'audit-signing-key'])
    expect(existsSync(join(to.dataDir, secret)), secret).toBe(false);
  const secretOf = async (name: string) => (await readFile(join(from.dataDir, name), 'utf8')).trim();
  const again = await to.start({
    env: {
      ENCRYPTION_KEY: await secretOf('encryption-key'),
      SESSION_SECRET: await secretOf('session-secret'),
      AUDIT_SIGNING_KEY: await secretOf('audit-signing-key'),
    },
  });
  const me = await again.request('/api/auth/me', { headers: { authorization: `Bearer ${gateway.session}` } });
  expect(me.status).toBe(200);
  await again.stop();

  const third = await openSite();
  expect(await third.restore([file])).toMatchObject({ code: 0 });
  for (const secret of ['session-secret', 'encryption-key', 'audit-signing-key'])
    await copyFile(join(from.dataDir, secret), join(third.dataDir, secret));
  const moved = await third.start();
  const you = await moved.request('/api/auth/me', {
    headers: { authorization: `Bearer ${gateway.session}` },
  });
  expect(you.status).toBe(200);
  await third.close();
});

it('sends a backup through a pipe, as out of one container and into another', async () => {
  const gateway = await from.start();
  await done(gateway, ownerOf(gateway), 'deploy_jot', {
    name: 'piped',
    files: asFiles({ 'index.html': 'here' }),
  });
  const command = (name: string, dataDir: string) =>
    `DATA_DIR='${dataDir}' '${process.execPath}' adapters/node/backup/${name}.ts -`;
  const pipe = `${command('backup', from.dataDir)} | ${command('restore', to.dataDir)}`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', pipe], { cwd: ROOT });
  await gateway.stop();
  expect(stderr).toMatch(/^Wrote the backup$/m);
  expect(stdout).toMatch(/^Restored the backup of .*\nIt has no secrets/);
  expect(await readdir(from.dataDir), 'nothing else is left behind').toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^\.backup-/)]),
  );
  const restored = await to.start();
  expect(await (await restored.request('/j/piped/')).text()).toBe('here');
  await restored.stop();
  expect(await from.backup(['-'], { DATA_DIR: '/nowhere' })).toMatchObject({ code: 1, stdout: '' });
});

it('names a file that is no backup or is damaged, and leaves the folder empty', async () => {
  const file = join(dirname(from.dataDir), 'gateway.tar.gz');
  const gateway = await from.start();
  expect(await from.backup([file])).toMatchObject({ code: 0 });
  await gateway.stop();
  await truncate(file, Math.floor((await stat(file)).size / 2));
  expect(await to.restore([file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('tar could not'),
  });
  expect(await to.restore([join(from.dataDir, 'service.db')])).toMatchObject({ code: 1 });
  expect(await to.restore(['/nowhere.tar.gz'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not exist'),
  });
  expect(await readdir(to.dataDir)).toEqual([]);
});
