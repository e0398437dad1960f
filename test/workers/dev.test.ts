// Tests npm run dev:worker as a person starts it who has neither account nor network.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';

const SEED = ['node', 'adapters/node/launch.mjs', 'adapters/node/seed.ts', '--email', 'ana@example.com'];
const DEV = ['node', 'adapters/node/launch.mjs', 'adapters/workers/dev.ts'];

it('prints a portal link and a key that works, and keeps both over a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-worker-'));
  const port = await freePort();
  const env = { PORT: String(port), DATA_DIR: folder, HOME: folder, CI: 'true' };
  let key = '';
  for (const start of ['first', 'second']) {
    const program = runProgram(DEV, env);
    await program.says('Ready on');
    key ||= /API key +([0-9a-f]{64})/.exec(program.output.stdout)?.[1] ?? '';
    const link = /Portal +\S+#token=(\S+)/.exec(program.output.stdout)?.[1];
    const me = (headers: Record<string, string>) =>
      fetch(`http://localhost:${port}/api/auth/me`, { headers }).then((response) => response.json());
    expect(await me({ 'x-service-api-key': key }), start).toMatchObject({ email: 'owner@localhost' });
    expect(await me({ authorization: `Bearer ${link}` })).toMatchObject({ email: 'owner@localhost' });
    const secret = await readFile(join(folder, 'worker/session-secret'), 'utf8');
    expect((await commandLines()).filter((line) => line.includes(secret))).toEqual([]);
    program.signal('SIGTERM', 'group');
    await program.exited;
  }
  // The command cannot reach the Worker's database, and makes no second gateway beside it.
  for (const DATA_DIR of [folder, join(folder, 'worker')]) {
    const before = await readdir(DATA_DIR);
    const seed = runProgram(SEED, { ...env, DATA_DIR });
    expect(await seed.exited).toMatchObject({ code: 1 });
    expect(seed.output).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/\/worker has the database of a Worker.*cannot reach.*dev:worker/),
    });
    expect(await readdir(DATA_DIR)).toEqual(before);
  }
  await rm(folder, { recursive: true, force: true });
}, 180_000);

it('reports a wrong port in one message, and creates nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-worker-'));
  const program = runProgram(DEV, { PORT: 'http', DATA_DIR: folder, HOME: folder });
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(program.output.stderr).toBe(
    'The configuration has a problem:\n  PORT must be a whole number from 1 to 65535\n',
  );
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Reads the command lines of all processes, as any user of the machine can. */
async function commandLines(): Promise<string[]> {
  const pids = process.platform === 'linux' ? await readdir('/proc') : [];
  const read = async (pid: string) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(read));
}
