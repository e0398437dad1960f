// npm run test:hard -- replicas --kills 10: three gateways behind nginx under load, one of which is killed every minute.
import { figure, leftOut } from './figures.ts';
import { readNumber } from './options.ts';
import { pause } from './private-services.ts';
import { openReplicas } from './replicas.ts';

const EVERY_MS = 60_000;
const REPLICAS = 3;

export async function replicaRuns(): Promise<void> {
  const replicas = await openReplicas();
  if (replicas === null) return leftOut('replicas', 'PostgreSQL or Redis is not installed');
  const kills = readNumber('kills');
  try {
    for (let kill = 0; kill < kills; kill++) {
      const next = performance.now() + EVERY_MS;
      await replicas.replace(kill % REPLICAS, 'SIGKILL');
      await pause(next - performance.now());
    }
    figure('replicas, killed', kills);
    await replicas.report('replicas');
  } finally {
    await replicas.close();
  }
  return undefined;
}
