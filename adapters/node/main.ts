// The program: the gateway in this process, or the primary of several processes. decision: 010
import { GATEWAY_URL } from './paths.ts';
import { countWorkers } from './cluster/count.ts';

const workers = countWorkers(process.env['WORKERS']);
if (workers === 1) await import(GATEWAY_URL.href);
else {
  const { runPrimary } = await import('./cluster/primary.ts');
  try {
    await runPrimary(workers, GATEWAY_URL);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
