// Measures the search over folders of tools and sentences, and over a person's own imports: `npm run eval`. docs/search.md
import { join } from 'node:path';
import { mapOf } from '../../src/search/integration-map.ts';
import { SHIPPED, shipped } from '../support/shipped-search.ts';
import { HELD_OUT, TUNED } from '../spec/search-sentences.ts';
import type { QueryRow } from '../spec/search-queries.ts';
import { type Corpus, readCorpora, type Sentence } from './corpora.ts';
import { readOwnImports } from './own-imports.ts';
import { createRankers, PLACES, type Ranker, type Rankers } from './rankers.ts';
import { printTimes } from './times.ts';

const HEADER = [
  'Sentences',
  'count',
  'plain BM25',
  'MiniSearch',
  'without vectors',
  'search_tools',
  'or in the map',
  'empty',
];

const { SEARCH_CORPORA, GATEWAY_URL, GATEWAY_KEY } = process.env;
const corpora: Corpus[] = [
  {
    name: 'own',
    imports: [],
    queries: [...sentencesOf(TUNED, 'tuned with'), ...sentencesOf(HELD_OUT, 'held out')],
  },
  ...readCorpora(join(import.meta.dirname, 'corpora')),
  ...(SEARCH_CORPORA === undefined ? [] : readCorpora(SEARCH_CORPORA)),
  ...(GATEWAY_URL === undefined ? [] : [await readOwnImports(GATEWAY_URL, GATEWAY_KEY ?? '')]),
];
const beside = corpora.find(({ name }) => name === process.argv[2]);
if (beside !== undefined)
  corpora.splice(1, 0, {
    name: `own beside ${beside.name}`,
    imports: beside.imports,
    queries: sentencesOf([...TUNED, ...HELD_OUT], 'all'),
  });

if (process.argv.includes('--times')) {
  await printTimes(corpora);
  process.exit();
}

console.log(`| ${HEADER.join(' | ')} |\n|${'---|'.repeat(HEADER.length)}`);
const totals: number[][] = [];
for (const corpus of corpora) {
  const rankers = await createRankers(corpus.imports);
  for (const [set, sentences] of Map.groupBy(corpus.queries, (each) => each.set)) {
    const compared = [rankers.bm25, rankers.miniSearch, rankers.merged, rankers.whole].map((ranker) =>
      measure(ranker, sentences),
    );
    const { reached, empty } = measureMap(corpus, rankers, sentences);
    console.log(
      `| ${corpus.name}: ${set} | ${sentences.length} | ${compared
        .map(({ recall, first }) => `${recall.toFixed(1)} / ${first.toFixed(1)}`)
        .join(' | ')} | ${reached.toFixed(1)} | ${empty.toFixed(1)} |`,
    );
    if (corpus.imports.length > 0 && !corpus.name.startsWith('own'))
      totals.push([...compared.flatMap(({ recall, first }) => [recall, first]), reached]);
  }
}
const mean = (at: number): string =>
  (totals.reduce((sum, row) => sum + (row[at] ?? 0), 0) / Math.max(1, totals.length)).toFixed(1);
console.log(
  `| mean of the sets with imports | | ${[0, 2, 4, 6].map((at) => `${mean(at)} / ${mean(at + 1)}`).join(' | ')} | ${mean(8)} | |`,
);

/** In percent: the share of the right tools among the first five, and how often a right one is first. */
function measure(ranker: Ranker, sentences: readonly Sentence[]): { recall: number; first: number } {
  let recall = 0;
  let first = 0;
  for (const { query, right } of sentences) {
    const found = ranker(query);
    recall += found.filter((name) => right.includes(name)).length / right.length;
    if (right.includes(found[0] ?? '')) first++;
  }
  return { recall: percent(recall, sentences), first: percent(first, sentences) };
}

/** In percent: how often a right tool is among the first five or its integration is in the map, and how often nothing is found. */
function measureMap(
  { imports }: Corpus,
  { search }: Rankers,
  sentences: readonly Sentence[],
): { reached: number; empty: number } {
  const listed = [
    ...shipped.integrations,
    ...imports.map((tools) => ({
      name: tools[0]?.integration ?? '',
      description: tools[0]?.description ?? '',
      imported: { id: '', kind: 'mcp', for: 'me' } as const,
    })),
  ];
  const homes = new Map([...SHIPPED, ...imports.flat()].map((tool) => [tool.name, tool.integration]));
  let reached = 0;
  let empty = 0;
  for (const { query, right } of sentences) {
    const found = search.find(query, { limit: PLACES, connected: new Set() });
    const map = mapOf(listed, found, new Set(), () => 1);
    if (found.hits.length === 0) empty++;
    if (
      found.hits.some(({ tool }) => right.includes(tool.name)) ||
      right.some((name) => map.some((entry) => entry.name === homes.get(name)))
    )
      reached++;
  }
  return { reached: percent(reached, sentences), empty: percent(empty, sentences) };
}

function percent(count: number, of: readonly unknown[]): number {
  return (100 * count) / of.length;
}

function sentencesOf(rows: readonly QueryRow[], set: string): Sentence[] {
  return rows.map(([query, right]) => ({ set, query, right: right.split(' ') }));
}
