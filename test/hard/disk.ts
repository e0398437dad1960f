// Fills the disk and checks that reads continue, that writes fail, and that writes work again when there is
// space.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figure, leftOut } from './figures.ts';
import { only, shown, startLoad } from './load.ts';
import { pause } from './private-services.ts';
import { openStand, type Started } from './stand.ts';

const MEBIBYTE = 1024 * 1024;
const SPARE = 4 * MEBIBYTE;

export async function diskRuns(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hard-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder]);
  if (mounted.status !== 0) return leftOut('a full disk', 'mounting a tmpfs requires root');
  const stand = await openStand();
  try {
    await fill(await stand.start({ DATA_DIR: folder }), folder);
  } finally {
    await stand.close();
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
  return undefined;
}

async function fill(gateway: Started, folder: string): Promise<void> {
  const headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
  const deploy = (name: string, bytes: number) =>
    gateway.request('/rest/jots', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        tool: 'deploy_jot',
        args: { name, files: [{ path: 'index.html', content: 'x'.repeat(bytes) }] },
      }),
    });
  const before = await deploy('before', 100);
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - SPARE));
  const bystander = startLoad(2, () => gateway.request('/rest', { headers }));
  let refused = 0;
  for (let count = 0; count < 30; count++) {
    const { status } = await deploy(`full-${count}`, MEBIBYTE / 2);
    if (status !== 200) refused++;
  }
  const reads = await Promise.all(Array.from({ length: 20 }, () => gateway.request('/j/before/')));
  await pause(500);
  const tally = bystander.take();
  await bystander.stop();
  figure('full disk, deploys refused', `${refused} of 30`, before.status === 200 && refused > 0);
  figure(
    'full disk, a published page',
    shownStatuses(reads),
    reads.every(({ status }) => status === 200),
  );
  figure('full disk, a bystander', shown(tally), only(tally, '200'));
  rmSync(join(folder, 'filler'));
  let after = 0;
  for (let tries = 0; tries < 50 && after !== 200; tries++) {
    await pause(200);
    ({ status: after } = await deploy('after', 1_000));
  }
  figure('disk with space again, status of a deploy', after, after === 200);
  const { code } = await gateway.stop();
  figure('full disk, exit', String(code), code === 0);
}

function shownStatuses(responses: readonly Response[]): string {
  return [...new Set(responses.map(({ status }) => status))].join(', ');
}
