// Measures the import of GitHub's whole description by a running gateway: time, memory, and how long others wait meanwhile.
import { readFileSync } from 'node:fs';
import { findReal, REAL, readReal } from '../support/openapi-corpus.ts';
import { type Banner, type Gateway, openSite } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';
import { markedProcesses } from '../support/marked-processes.ts';
import { call } from '../support/mcp.ts';

const [wanted = 'GitHub'] = process.argv.slice(2);

/** The peak of the gateway's memory so far, in MiB. */
function peakMemory(mark: string): number {
  const peaks = markedProcesses(mark).map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  });
  return Math.max(...peaks);
}

interface Measured<T> {
  value: T;
  milliseconds: number;
  /** The longest answer that another person has waited for meanwhile. */
  longestWait: number;
  waits: number;
}

async function beside<T>(gateway: Gateway, work: () => Promise<T>): Promise<Measured<T>> {
  let isDone = false;
  let [longestWait, waits] = [0, 0];
  const other = (async () => {
    while (!isDone) {
      const asked = performance.now();
      await (await gateway.request('/health')).arrayBuffer();
      longestWait = Math.max(longestWait, performance.now() - asked);
      waits++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const started = performance.now();
  const value = await work().finally(() => (isDone = true));
  const milliseconds = performance.now() - started;
  await other;
  return { value, milliseconds, longestWait, waits };
}

async function main(): Promise<void> {
  const real = REAL.find(({ name }) => name === wanted);
  const path = real === undefined ? null : findReal(real);
  if (path === null) throw new Error(`${wanted} is not installed: run npm run corpus`);
  const document = readReal(path);
  const service = await startHttpServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"number":7,"title":"from GitHub"}'),
  );
  const base = `http://127.0.0.1:${service.port}`;
  const site = await openSite();
  const mark = crypto.randomUUID();
  try {
    const gateway: Gateway & Banner = await site.start({ env: { MARK: mark } });
    const header = { 'x-service-api-key': gateway.apiKey };
    const send = async (method: string, address: string, body: object) => {
      const response = await gateway.request(address, {
        method,
        headers: { ...header, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(JSON.stringify(answer));
      return answer;
    };
    await call(gateway, header, 'search_tools', { query: 'create an issue' });
    const before = peakMemory(mark);
    let last = before;
    const show = ({ milliseconds, longestWait, waits }: Measured<unknown>, what: string) => {
      const peak = peakMemory(mark);
      console.log(
        `${what}: ${milliseconds.toFixed(0)} ms, peak ${peak.toFixed(0)} MiB (${(peak - before).toFixed(0)} more than before), longest of ${waits} waits of another person ${longestWait.toFixed(0)} ms`,
      );
      last = peak;
    };
    console.log(`before: peak ${last.toFixed(0)} MiB`);
    const preview = await beside(gateway, () => send('POST', '/api/imports/preview', { document, base }));
    show(preview, 'preview');
    console.log(
      `  ${preview.value.tools.length} tools, ${preview.value.tags.length} tags, ${preview.value.warnings.length} warnings`,
    );
    const auth = { type: 'none' };
    const whole = await beside(gateway, () =>
      send('POST', '/api/imports', { document, base, auth, name: 'whole' }),
    );
    show(whole, 'import');
    const find = () => call(gateway, header, 'search_tools', { query: 'create an issue', limit: 5 });
    const search = await beside(gateway, find);
    show(search, 'first search');
    const again = await beside(gateway, find);
    show(again, 'second search');
    const executions = [{ tool: 'whole_issues_create', args: { owner: 'a', repo: 'b', title: 'c' } }];
    const run = await beside(gateway, () => call(gateway, header, 'execute_tools', { executions }));
    show(run, 'call');
    console.log(`  ${JSON.stringify(run.value.results[0]).slice(0, 200)}`);
    await gateway.request('/api/imports/whole', { method: 'DELETE', headers: header });
    const some = await beside(gateway, () =>
      send('POST', '/api/imports', { document, base, auth, name: 'some', include: ['issues'] }),
    );
    show(some, 'import of the tag issues');
  } finally {
    await site.close();
    await service.close();
  }
}

await main();
