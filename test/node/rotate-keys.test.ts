// Tests npm run rotate-keys beside a running gateway. decision: 024
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSchema } from '../../drivers/sql/engine.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { refreshLease } from '../../src/connections/oauth/tokens.ts';
import { createSeal } from '../../src/crypto/seal.ts';
import type { Store } from '../../src/ports/store.ts';
import { connection } from '../contracts/store/records.ts';
import {
  type Exit,
  type Gateway,
  openSite,
  type Output,
  runProgram,
  type Site,
} from '../support/gateway-process.ts';

const ROTATE = ['node', 'adapters/node/launch.mjs', 'adapters/node/rotate-keys.ts'];
const ROWS = 400;
const key = () => randomBytes(32).toString('hex');

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

async function rotate(env: Record<string, string>, ...args: string[]): Promise<Exit & Output> {
  const { exited, output } = runProgram([...ROTATE, ...args], { DATA_DIR: site.dataDir, ...env });
  return { ...(await exited), ...output };
}

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const engine = openSqlite(join(site.dataDir, 'service.db'));
  await createSchema(engine);
  // The rows that the test itself writes need not survive a power cut.
  await engine.run(CompiledQuery.raw('pragma synchronous = off'));
  const store = createSqlStore(engine);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Connections whose access tokens are sealed under the key. */
async function fill(hexKey: string, count = ROWS): Promise<void> {
  const seal = await createSeal([hexKey], createSystemRandom());
  await withStore(async (store) => {
    for (let index = 0; index < count; index++) {
      const user_id = randomUUID();
      const access_token = await seal.seal(`token ${user_id}`, [user_id, 'github', 'access_token']);
      await store.connections.put(connection({ user_id, access_token, refresh_token: null, cookies: null }));
    }
  });
}

/**
 * One more connection after all others, whose refresh lease is held until the test releases it: no rotation
 * ends before.
 */
async function holdLast(hexKey: string): Promise<() => Promise<void>> {
  const user_id = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
  const seal = await createSeal([hexKey], createSystemRandom());
  const access_token = await seal.seal(`token ${user_id}`, [user_id, 'github', 'access_token']);
  const refresh_token = await seal.seal('another', [user_id, 'github', 'refresh_token']);
  const lease = refreshLease({ user_id, integration: 'github', account: '' });
  await withStore(async (store) => {
    await store.connections.put(connection({ user_id, access_token, refresh_token, cookies: null }));
    await store.leases.acquire(lease, 'a gateway', 0, Number.MAX_SAFE_INTEGER);
  });
  return () => withStore((store) => store.leases.release(lease, 'a gateway'));
}

/** Returns how many of the connections the key opens. */
async function readable(hexKey: string): Promise<number> {
  const seal = await createSeal([hexKey], createSystemRandom());
  const rows = await withStore((store) => store.connections.page(null, 10_000));
  const texts = rows.map(({ user_id, integration, access_token }) =>
    seal.open(access_token ?? '', [user_id, integration, 'access_token']),
  );
  return (await Promise.all(texts)).filter((text) => text?.startsWith('token ')).length;
}

async function reveal(gateway: Gateway, apiKey: string): Promise<unknown> {
  const response = await gateway.request('/api/keys/reveal', { headers: { 'x-service-api-key': apiKey } });
  return response.json();
}

describe('npm run rotate-keys', () => {
  it("keeps everything readable on a person's own machine, and afterwards needs only the new key", async () => {
    const keyFile = join(site.dataDir, 'encryption-key');
    const first = await site.start();
    const { apiKey } = first;
    await first.stop();
    const old = await readFile(keyFile, 'utf8');
    await fill(old);
    const letGo = await holdLast(old);

    await rename(keyFile, `${keyFile}.old`);
    const env = { ENCRYPTION_KEY_PREVIOUS: old };
    const both = await site.start({ env });
    const next = await readFile(keyFile, 'utf8');
    expect(next).not.toBe(old);
    expect(await reveal(both, apiKey)).toEqual({ apiKey });

    const state = { done: false };
    const rotating = rotate(env).finally(() => (state.done = true));
    let reveals = 0;
    for (; !state.done; reveals++) {
      expect(await reveal(both, apiKey)).toEqual({ apiKey });
      if (reveals === 5) await letGo();
    }
    expect(reveals).toBeGreaterThan(5);
    const { code, stdout, stderr } = await rotating;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+ sealed again, /);
    expect(stdout).toContain(`Sealed again under the new key: ${ROWS + 3} values. Already under it: 0.`);
    expect(stdout).toMatch(/start the gateway without ENCRYPTION_KEY_PREVIOUS\.\n$/);
    expect(stdout).not.toContain('\r');
    expect(await reveal(both, apiKey)).toEqual({ apiKey });

    const again = await rotate(env);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(`Nothing to do. Already under the new key: ${ROWS + 3} values.`);
    await both.stop();

    expect([await readable(next), await readable(old)]).toEqual([ROWS + 1, 0]);
    const alone = await site.start();
    expect(await reveal(alone, apiKey)).toEqual({ apiKey });
    expect(alone.output.stdout).not.toMatch(/API key +[0-9a-f]{64}/);
  });

  it('continues when it was killed and is run again', async () => {
    const [old, next] = [key(), key()];
    const env = { ENCRYPTION_KEY: next, ENCRYPTION_KEY_PREVIOUS: old };
    await fill(old);
    const letGo = await holdLast(old);
    const program = runProgram(ROTATE, { DATA_DIR: site.dataDir, ...env });
    await program.says('sealed again');
    program.signal('SIGKILL', 'group');
    await program.exited;
    const moved = await readable(next);
    expect(moved).toBeGreaterThan(0);
    expect(moved + (await readable(old))).toBe(ROWS + 1);
    await letGo();
    const { code, stdout } = await rotate(env);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Sealed again under the new key: ${ROWS + 2 - moved} values. Already under it: ${moved}.`,
    );
    expect(await readable(next)).toBe(ROWS + 1);
  });

  it('names what stays unreadable, says what to do, and exits with 1', async () => {
    const [old, next] = [key(), key()];
    await fill(key(), 2);
    await fill(old, 1);
    const env = { ENCRYPTION_KEY: next, ENCRYPTION_KEY_PREVIOUS: old };
    const { code, stdout } = await rotate(env);
    expect(code).toBe(1);
    expect(stdout).toContain('Sealed again under the new key: 1 value. Already under it: 0.');
    expect(stdout.match(/^ {2}[0-9a-f-]{36} {2}github {2}access_token$/gm)).toHaveLength(2);
    expect(stdout).toMatch(/have to reconnect/);
    expect(stdout).not.toMatch(/token [0-9a-f]|v1\.|opens nothing/);
    // Everything under the old key has moved, so here that key is the wrong one.
    const wrong = await rotate({ ENCRYPTION_KEY: key(), ENCRYPTION_KEY_PREVIOUS: old });
    expect(wrong).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('ENCRYPTION_KEY_PREVIOUS opens nothing'),
    });
    expect(await readable(next)).toBe(1);
  });

  it('says so when nothing is stored', async () => {
    const { code, stdout } = await rotate({ ENCRYPTION_KEY: key(), ENCRYPTION_KEY_PREVIOUS: key() });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('DATA_DIR') });
  });

  const same = key();
  it.each<[string, Record<string, string>, string[], RegExp]>([
    ['no old key', { ENCRYPTION_KEY: key() }, [], /^ENCRYPTION_KEY_PREVIOUS must be set/],
    ['no new key', { ENCRYPTION_KEY_PREVIOUS: key() }, [], /^ENCRYPTION_KEY must be set/],
    ['one key for both', { ENCRYPTION_KEY: same, ENCRYPTION_KEY_PREVIOUS: same }, [], /are the same/],
    [
      'a key that is none',
      { ENCRYPTION_KEY: key(), ENCRYPTION_KEY_PREVIOUS: 'x' },
      [],
      /ENCRYPTION_KEY_PREVIOUS must be 64/,
    ],
    ['an unknown option', {}, ['--force'], /--force/],
  ])(
    'answers %s with a readable message and exit code 1, and creates no file',
    async (_kind, env, args, words) => {
      const { code, stdout, stderr } = await rotate(env, ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(words);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(existsSync(site.dataDir)).toBe(false);
    },
  );

  it('prints its usage with --help', async () => {
    const { code, stdout } = await rotate({}, '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^usage: npm run rotate-keys\n/);
    expect(stdout).toContain('DATA_DIR/encryption-key');
  });
});
