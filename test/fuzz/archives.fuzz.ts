// Fuzzes the archive reader: a mutated archive is refused as a whole, or unpacks to plain paths only. decision: 049
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { done, downloadAll, publish, tarball, upload } from '../support/jots.ts';
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
  const before = await downloadAll(app, ana, 'target');
  const offer = await done(app, ana, 'update_jot', { name: 'target' });
  const { status, body: answer } = await upload(app, offer, body);
  expect([200, 400, 413]).toContain(status);
  const after = await downloadAll(app, ana, 'target');
  if (status !== 200) return expect([answer, after]).toEqual([answer, before]);
  for (const path of Object.keys(after)) {
    expect(path).toMatch(/^[^\0-\x1f\x7f\\/][^\0-\x1f\x7f\\]*$/);
    expect(path.split('/')).not.toContain('..');
  }
}

describe('A mutated archive', () => {
  it('is refused or harmless when the tar was mutated', async () => {
    await fuzz(250, (chance) => deploy(new Uint8Array(gzipSync(mutateBytes(chance.pick(TARS), chance)))));
  });

  it('is refused or harmless when the gzip was mutated', async () => {
    const good = tarball({ 'index.html': '<h1>a</h1>', 'x.txt': 'y'.repeat(3_000) });
    await fuzz(250, (chance) => deploy(mutateBytes(good, chance)));
  });
});
