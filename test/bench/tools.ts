// Measures what 2,000 additional tools cost at the start and in each execution.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../adapters/node/bundle.ts';
import { ratioOf } from './http.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { type Gateway, startGateway } from './servers.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 9;
const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'execute_tools', arguments: { executions: [{ tool: 'time_now', args: {} }] } },
});

export async function toolRows(): Promise<Row[]> {
  const grown = await bundleGrown();
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [few, many] = [await startGateway(), await startGateway(grown)];
    starts.push(many.startMs / few.startMs);
    await Promise.all([few.stop(), many.stop()]);
  }
  const [few, many] = [await startGateway(), await startGateway(grown)];
  const shot = ({ url, apiKey }: Gateway) => ({
    url: `${url}/mcp`,
    headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
    body: BODY,
  });
  const { ratio } = await ratioOf(shot(few), shot(many));
  await Promise.all([few.stop(), many.stop()]);
  return [row('start to first response', median(starts), 1.5), row('time of execute_tools', ratio, 1.2)];
}

function row(what: string, ratio: number, bar: number): Row {
  return {
    work: `2,000 more synthetic tools: ${what}, compared with none`,
    measured: `${ratio.toFixed(2)} ×`,
    bar: `≤ ${bar} ×`,
    holds: ratio <= bar,
  };
}

/** Bundles the server with the synthetic integrations in its catalog. */
export async function bundleGrown(): Promise<string> {
  const outdir = join(ROOT, 'dist/bench');
  await bundle(outdir, [
    {
      name: 'more tools',
      setup(build) {
        build.onLoad({ filter: /[\\/]integrations[\\/]all\.ts$/ }, ({ path }) => ({
          contents: `import { synthetic } from '../test/bench/synthetic.ts';\n${readFileSync(path, 'utf8')}\nintegrations.push(...synthetic);`,
          loader: 'ts',
        }));
      },
    },
  ]);
  return join(outdir, 'main.js');
}
