// npm run test:hard -- rolling: three gateways of the former version behind nginx under load, replaced one by one by this
// version. Then one goes back and forward again.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/gateway-process.ts';
import { figure, leftOut } from './figures.ts';
import { former } from './options.ts';
import { pause } from './private-services.ts';
import { openReplicas } from './replicas.ts';

/** The last commit of 0.2: the next one opens the section of 0.3 in the changelog. */
const LAST_OF_0_2 = '6fab41549c68';
const TOGETHER_MS = 30_000;

export async function rollingRuns(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'former-version-'));
  try {
    const commit = former ?? LAST_OF_0_2;
    if (!unpack(commit, folder)) return leftOut('rolling', `this repository has no commit ${commit}`);
    await roll([process.execPath, join(folder, 'adapters/node/main.ts')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return undefined;
}

async function roll(before: readonly string[]): Promise<void> {
  const replicas = await openReplicas(before);
  if (replicas === null) return leftOut('rolling', 'PostgreSQL or Redis is not installed');
  try {
    await pause(TOGETHER_MS);
    for (const at of [0, 1, 2]) {
      await replicas.replace(at, 'SIGTERM');
      await pause(TOGETHER_MS);
    }
    await replicas.replace(1, 'SIGTERM', before);
    await pause(TOGETHER_MS);
    await replicas.replace(1, 'SIGTERM');
    await pause(TOGETHER_MS);
    figure('rolling, replicas replaced', '3, then one back and forward again');
    await replicas.report('rolling');
  } finally {
    await replicas.close();
  }
  return undefined;
}

/** Unpacks the sources of a commit. They run with the packages that are installed here. */
function unpack(commit: string, folder: string): boolean {
  try {
    const archive = execFileSync('git', ['archive', commit], {
      cwd: ROOT,
      maxBuffer: 2 ** 30,
      stdio: 'pipe',
    });
    execFileSync('tar', ['--extract', `--directory=${folder}`], { input: archive });
  } catch {
    return false;
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return true;
}
