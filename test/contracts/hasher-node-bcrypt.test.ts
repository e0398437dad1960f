// Runs the hasher contract on the Node hasher, and tests its worker thread and its agreement with the
// portable hasher.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createPortableHasher } from '../../drivers/hasher/bcrypt-ts.ts';
import { createNodeHasher } from '../../drivers/hasher/node-bcrypt.ts';
import { hasherContract } from './hasher-contract.ts';

hasherContract('node-bcrypt', createNodeHasher);

describe('hasher: node-bcrypt and the portable one', () => {
  const node = createNodeHasher();
  const portable = createPortableHasher();
  afterAll(() => Promise.all([node.close(), portable.close()]));

  it.each(['correct horse', 'pässwörd 𝄞', 'a\0b', 'half \ud800 pair'])(
    'verify each other’s hash of %j',
    async (secret) => {
      expect(await portable.verify(secret, await node.hash(secret))).toBe(true);
      expect(await node.verify(secret, await portable.hash(secret))).toBe(true);
    },
  );
});

describe('hasher: node-bcrypt worker thread', () => {
  /** A worker that answers each task with `ok`, throws on the secret `die` and exits on `leave`. */
  const mortal = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, task }) => {
        if (task.secret === 'die') throw new Error('died');
        if (task.secret === 'leave') process.exit(3);
        parentPort.postMessage({ id, answer: 'ok' });
      });
    `)}`,
  );

  it('leaves the event loop free while it hashes', async () => {
    const hasher = createNodeHasher();
    const seen = { turns: 0, done: false };
    const hashing = hasher.hash('a secret').finally(() => (seen.done = true));
    while (!seen.done) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.turns++;
    }
    await hashing;
    await hasher.close();
    expect(seen.turns).toBeGreaterThan(10);
  });

  it.each(['die', 'leave'])(
    'rejects pending calls when the worker ends (%s), and starts a new worker',
    async (how) => {
      const hasher = createNodeHasher({ workerUrl: mortal });
      expect(await hasher.hash('one')).toBe('ok');
      const calls = await Promise.allSettled([hasher.hash(how), hasher.hash('waiting')]);
      expect(calls).toEqual([
        { status: 'rejected', reason: expect.objectContaining({ message: '[hasher] the worker stopped' }) },
        { status: 'rejected', reason: expect.objectContaining({ cause: expect.anything() }) },
      ]);
      expect(await Promise.all([hasher.hash('two'), hasher.hash('three')])).toEqual(['ok', 'ok']);
      await hasher.close();
    },
  );

  it('rejects instead of hanging when the worker code is missing', async () => {
    const hasher = createNodeHasher({ workerUrl: new URL('./absent.ts', import.meta.url) });
    await expect(hasher.hash('x')).rejects.toThrow('[hasher] the worker stopped');
    await hasher.close();
  });

  it('rejects pending and later calls after it is closed', async () => {
    const hasher = createNodeHasher();
    const refused = expect(hasher.hash('x')).rejects.toThrow('[hasher] the worker stopped');
    await hasher.close();
    await refused;
    await expect(hasher.hash('x')).rejects.toThrow('[hasher] closed');
  });

  it('keeps the process alive until the result and no longer', async () => {
    const url = new URL('../../drivers/hasher/node-bcrypt.ts', import.meta.url).href;
    const program = `import { createNodeHasher } from ${JSON.stringify(url)};
      console.log((await createNodeHasher().hash('x')).length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toBe('60\n');
  });
});
