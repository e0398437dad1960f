// Archives bent out of shape: refused as a whole, or unpacked into nothing but plain paths. design: J3
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { done, publish, served, tarball, upload } from '../support/jots.ts';
import { END, paxRecord, rawTar } from '../support/raw-tar.ts';
import { fuzz } from './chance.ts';
import { mutateBytes } from './mutate.ts';
import { useStand } from './stand.ts';

const stand = useStand();
const TARS = [
  rawTar([
    { name: 'index.html', content: '<h1>a</h1>' },
    { name: 'a/b.txt', content: 'b'.repeat(700) },
  ]),
  rawTar([
    { name: 'pax', type: 'x', content: paxRecord('path', 'long/'.repeat(30) + 'c.txt') },
    { name: 'c.txt', content: 'c' },
    { name: 'index.html', content: 'x' },
  ]),
  rawTar(
    [
      { name: 'd/', type: '5' },
      { name: 'index.html', content: 'x' },
    ],
    Buffer.concat([END, END]),
  ),
];

beforeAll(() => publish(stand.app, stand.ana, 'target', { 'kept.txt': 'kept' }));

async function deploy(body: Uint8Array<ArrayBuffer>): Promise<void> {
  const { app, ana } = stand;
  const before = await served(app, ana, 'target');
  const order = await done(app, ana, 'update_jot', { name: 'target' });
  const { status, body: answer } = await upload(app, order, body);
  expect([200, 400, 413]).toContain(status);
  const after = await served(app, ana, 'target');
  if (status !== 200) return expect([answer, after]).toEqual([answer, before]);
  for (const path of Object.keys(after)) {
    expect(path).toMatch(/^[^\0-\x1f\x7f\\/][^\0-\x1f\x7f\\]*$/);
    expect(path.split('/')).not.toContain('..');
  }
}

describe('mutated archives', () => {
  it('as tar, then packed', async () => {
    await fuzz(250, (chance) => deploy(new Uint8Array(gzipSync(mutateBytes(chance.pick(TARS), chance)))));
  });

  it('as gzip', async () => {
    const good = tarball({ 'index.html': '<h1>a</h1>', 'x.txt': 'y'.repeat(3_000) });
    await fuzz(250, (chance) => deploy(mutateBytes(good, chance)));
  });
});
