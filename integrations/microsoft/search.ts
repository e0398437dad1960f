// Searches over Microsoft Search, which finds items in places that no single list covers.
import * as z from 'zod';
import type { Upstream } from '../../src/kit/integration.ts';
import { object, send } from './graph.ts';

const Container = z.lazy(() =>
  z.object({
    hits: z.array(z.object({ summary: z.string().nullish(), resource: object })).default([]),
    moreResultsAvailable: z.boolean().nullish(),
  }),
);
const Answer = z.lazy(() =>
  z.object({
    value: z.array(z.object({ hitsContainers: z.array(Container).default([]) })).default([]),
  }),
);

export interface Hit {
  summary: string | undefined;
  resource: Record<string, unknown>;
}

export async function searchFor(
  upstream: Upstream,
  entityType: 'chatMessage' | 'driveItem',
  { query, from, size }: { query: string; from: number; size: number },
): Promise<{ hits: Hit[]; nextFrom?: number }> {
  const request = { entityTypes: [entityType], query: { queryString: query }, from, size };
  const answer = Answer.parse(await send(upstream, 'POST /search/query', { requests: [request] }));
  const containers = answer.value.flatMap(({ hitsContainers }) => hitsContainers);
  const hits = containers
    .flatMap((container) => container.hits)
    .map(({ summary, resource }) => ({ summary: summary ?? undefined, resource }));
  const hasMore = containers.some(({ moreResultsAvailable }) => moreResultsAvailable === true);
  return { hits, ...(hasMore ? { nextFrom: from + hits.length } : {}) };
}
