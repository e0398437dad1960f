// Measures search_tools over 2,000 tools, for literal matches and with suggestions.
import { createSearch } from '../../src/tools/search.ts';
import { TOOL_CORPUS } from '../support/tool-corpus.ts';
import type { Row } from './main.ts';
import { percentile } from './median.ts';

const TOOLS = 2_000;
const SAMPLES = 1_000;
const LITERAL = ['pull request', 'issue', 'list', 'zzz', 'message', 'a'];
const ASKED = [
  'open a merge request',
  'rerun failed CI',
  'crete issue',
  'who is on call',
  'list calender events',
];

export async function searchRows(): Promise<Row[]> {
  const tools = Array.from({ length: TOOLS }, (_, index) => {
    const { name, description, integration } = TOOL_CORPUS[index % TOOL_CORPUS.length] ?? {
      name: 'x',
      description: '',
      integration: '',
    };
    const copy = Math.floor(index / TOOL_CORPUS.length);
    return copy === 0
      ? { name, description, integration }
      : { name: `${name}_${copy}`, description, integration: `${integration}_${copy}` };
  });
  const search = createSearch(tools);
  search.suggest('warm up', new Set());
  return [
    row(
      'literal',
      time(LITERAL, (query) => search.literal(query)),
      2,
    ),
    row(
      'with suggestions',
      time(ASKED, (query) => search.suggest(query, new Set())),
      10,
    ),
  ];
}

function time(queries: readonly string[], run: (query: string) => unknown): number {
  const samples: number[] = [];
  for (let index = 0; index < SAMPLES; index++) {
    const begun = performance.now();
    run(queries[index % queries.length] ?? '');
    samples.push(performance.now() - begun);
  }
  return percentile(samples, 0.95);
}

function row(kind: string, p95: number, bar: number): Row {
  return {
    work: `search_tools over ${TOOLS} tools, ${kind}, p95`,
    measured: `${p95.toFixed(2)} ms`,
    bar: `≤ ${bar} ms`,
    holds: p95 <= bar,
  };
}
