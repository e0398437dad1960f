// Hacker News: its front page, items with their comments, and search. It needs no connection.
import * as z from 'zod';
import { defineIntegration, tool, type ToolContext } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { logo } from './logo.ts';
import { words } from './words.ts';

const API = 'https://hacker-news.firebaseio.com/v0';
const SEARCH = 'https://hn.algolia.com/api/v1/search';
// Each story takes one request.
const CONCURRENCY = 10;
const MAX_STORIES = 100;

export const hackernews = defineIntegration({
  name: 'hackernews',
  version: '1.0.0',
  displayName: 'Hacker News',
  description: 'Stories and comments of Hacker News',
  categories: ['built-in', 'news'],
  logo,
  auth: { type: 'none' },
  words,
  tools: [
    tool(
      'hackernews_top_stories',
      'List the stories on the front page of Hacker News',
      () => ({ limit: z.int().min(1).max(MAX_STORIES).default(20).describe('Stories to return') }),
      async ({ limit }, { fetch }) => {
        const ids = z.array(z.int()).parse(await read(fetch, `${API}/topstories.json`));
        const wanted = ids.slice(0, limit);
        const stories: unknown[] = [];
        for (let start = 0; start < wanted.length; start += CONCURRENCY) {
          const some = wanted.slice(start, start + CONCURRENCY);
          stories.push(...(await Promise.all(some.map((id) => read(fetch, `${API}/item/${id}.json`)))));
        }
        return stories.flatMap((story) => Story.safeParse(story).data ?? []);
      },
    ),
    tool(
      'hackernews_search',
      'Search Hacker News stories and comments, best matches first',
      () => ({
        query: z.string().describe('Words to find'),
        tags: z
          .string()
          .optional()
          .describe('Only these: story, comment, author_pg or story_8863; a,b for both, (a,b) for either'),
        hitsPerPage: z.int().min(1).max(1_000).default(20).describe('Results per page'),
        page: z.int().min(0).optional().describe('Page to return, from 0'),
      }),
      ({ query, tags, hitsPerPage, page }, { fetch }) => {
        const parameters = new URLSearchParams({ query, hitsPerPage: String(hitsPerPage) });
        if (tags !== undefined) parameters.set('tags', tags);
        if (page !== undefined) parameters.set('page', String(page));
        return read(fetch, `${SEARCH}?${parameters}`);
      },
    ),
    tool(
      'hackernews_get_item',
      'Get a Hacker News story, comment, job or poll by its id; `kids` has the ids of its comments',
      () => ({
        id: z.int().min(1).describe('`id` of a story, `objectID` of a search result, or one of `kids`'),
      }),
      async ({ id }, { fetch }) => {
        const item = await read(fetch, `${API}/item/${id}.json`);
        // The API has no error for a missing item.
        if (item === null) throw new Error(`Hacker News has no item ${id}`);
        return item;
      },
    ),
  ],
});

/** Some jobs have no url, and a deleted story has no fields. */
const Story = z.lazy(() =>
  z.object({
    id: z.int(),
    title: z.string(),
    url: z.string().optional(),
    score: z.int().optional(),
    by: z.string().optional(),
  }),
);

async function read(fetch: ToolContext['fetch'], url: string): Promise<unknown> {
  return readPayload(await fetch(url));
}
