// Tests the secrets that a gateway on loopback creates for itself. reference: Secrets at rest; decision: 015
import type * as Files from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { localSecret } from '../../adapters/node/secrets.ts';

const SECRETS = new URL('../../adapters/node/secrets.ts', import.meta.url).href;
const RACERS = 4;
const ROUNDS = 300;

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Files>();
  // The file is created, and then nothing can be written to it.
  const writeFileSync = (file: string, text: string, options: Files.WriteFileOptions) => {
    fs.writeFileSync(file, disk.isFull ? '' : text, options);
    if (disk.isFull) throw new Error('ENOSPC: no space left on device, write');
  };
  return { ...fs, writeFileSync };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-secrets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

// Each round begins when all threads have arrived.
const RACER = `
  const { parentPort, workerData: { module, folder, rounds, racers, gate } } = require('node:worker_threads');
  import(module).then(({ localSecret }) => {
    const arrived = new Int32Array(gate);
    const secrets = [];
    for (let round = 0; round < rounds; round++) {
      const before = Atomics.add(arrived, 0, 1);
      if (before + 1 === (round + 1) * racers) Atomics.notify(arrived, 0);
      for (let seen = before + 1; seen < (round + 1) * racers; seen = Atomics.load(arrived, 0)) Atomics.wait(arrived, 0, seen);
      try { secrets.push(localSecret('SESSION_SECRET', folder + '/' + round)); }
      catch (error) { secrets.push(String(error)); }
    }
    parentPort.postMessage(secrets);
  });
`;

function race(gate: SharedArrayBuffer): Promise<string[]> {
  const workerData = { module: SECRETS, folder, rounds: ROUNDS, racers: RACERS, gate };
  const worker = new Worker(RACER, { eval: true, workerData });
  return new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

describe('a secret made at the first start', () => {
  it('is the same complete value for all processes that ask at the same moment', async () => {
    const gate = new SharedArrayBuffer(4);
    const [first = [], ...others] = await Promise.all(Array.from({ length: RACERS }, () => race(gate)));
    expect(first).toHaveLength(ROUNDS);
    for (const secret of first) expect(secret).toMatch(/^[0-9a-f]{64}$/);
    for (const other of others) expect(other).toEqual(first);
    expect(new Set(first).size).toBe(ROUNDS);
    expect(await readFile(join(folder, '0', 'session-secret'), 'utf8')).toBe(first[0]);
    expect(await readdir(join(folder, '0'))).toEqual(['session-secret']);
    // Each round waits for the slowest of its threads.
  }, 120_000);

  it("fails on a full disk with the file's name, and leaves nothing behind", async () => {
    disk.isFull = true;
    expect(() => localSecret('SESSION_SECRET', folder)).toThrow(
      `${join(folder, 'session-secret')} cannot be made: ENOSPC`,
    );
    disk.isFull = false;
    expect(await readdir(folder)).toEqual([]);
  });
});
