// Sends two small calls with very large answers at once to a process with little memory, again and again, and measures a
// bystander's calls. decision: 011, 032
import { askManyTimes, publishLargeJot, readStored } from '../support/large-jot.ts';
import { figure, percentile } from './figures.ts';
import { only, shown, startLoad } from './load.ts';
import { openStand } from './stand.ts';

const HEAP_MEBIBYTES = 512;
const ROUNDS = 5;
const READS = 10;
const MAX_MS = 250;

export async function smallCallRuns(): Promise<void> {
  const stand = await openStand();
  try {
    const gateway = await stand.start({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MEBIBYTES}` });
    const headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
    await publishLargeJot(gateway, headers);
    const bystander = startLoad(1, () =>
      gateway.request('/rest/time', { method: 'POST', headers, body: '{"tool":"time_now"}' }),
    );
    let answered = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const texts = await Promise.allSettled([
        askManyTimes(gateway, headers),
        askManyTimes(gateway, headers),
      ]);
      answered += texts.filter(({ status }) => status === 'fulfilled').length;
    }
    const tally = bystander.take();
    await bystander.stop();
    figure(
      `two 3 KB calls with 114 MB answers at once in ${HEAP_MEBIBYTES} MiB, answered`,
      `${answered} of ${2 * ROUNDS}`,
      answered === 2 * ROUNDS,
    );
    const p99 = percentile(tally.milliseconds, 0.99);
    figure("a bystander's calls meanwhile", shown(tally), only(tally, '200') && p99 < MAX_MS);
    const text = await askManyTimes(gateway, headers);
    const milliseconds: number[] = [];
    for (let round = 0; round < READS; round++) {
      const begun = performance.now();
      await readStored(gateway, headers, text, `/results/3/result/files/${100 * round}/path`);
      milliseconds.push(performance.now() - begun);
    }
    const p50 = percentile(milliseconds, 0.5);
    figure('one word of a stored result of 16 MiB, p50', `${p50} ms`, p50 < MAX_MS);
    await gateway.stop();
  } finally {
    await stand.close();
  }
}
