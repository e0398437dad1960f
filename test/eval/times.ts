// Measures the processor time of ranked searches, for sentences asked for the first time and again. docs/search.md#figures
import { percentile } from '../bench/median.ts';
import type { Corpus } from './corpora.ts';
import { createRankers, PLACES } from './rankers.ts';

/** Prints a row for each corpus: its 95th percentile in milliseconds. Other work on the machine makes it larger. */
export async function printTimes(corpora: readonly Corpus[]): Promise<void> {
  console.log('| Sentences | count | tools | first asked, p95 | asked again, p95 |\n|---|---|---|---|---|');
  for (const { name, imports, queries } of corpora) {
    const { search } = await createRankers(imports);
    const round = (): string => {
      const samples = queries.map(({ query }) => {
        const before = process.cpuUsage();
        search.find(query, { limit: PLACES, connected: new Set() });
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000;
      });
      return `${percentile(samples, 0.95).toFixed(1)} ms`;
    };
    const tools = search.segments.reduce((sum, segment) => sum + segment.tools.length, 0);
    console.log(`| ${name} | ${queries.length} | ${tools} | ${round()} | ${round()} |`);
  }
}
