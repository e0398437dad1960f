// Tests Hacker News: tool, arguments → expected requests.
import { describe, expect, it } from 'vitest';
import { hackernews } from '../../integrations/hackernews/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const V0 = 'https://hacker-news.firebaseio.com/v0';
const ALGOLIA = 'https://hn.algolia.com/api/v1/search';

/** Runs a tool against responses by address. */
function ask(name: string, args: object, answers: Record<string, unknown>): Promise<unknown> {
  return run(hackernews, name, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream: () => Promise.reject(new Error('not connected')),
    fetch: async (url) => Response.json(answers[String(url)] ?? null),
  });
}

describe('hackernews', () => {
  it.each([
    [
      'hackernews_top_stories',
      { limit: 2 },
      [`GET ${V0}/topstories.json`, `GET ${V0}/item/9.json`, `GET ${V0}/item/8.json`],
      [[9, 8, 7]],
    ],
    [
      'hackernews_search',
      { query: 'größe & co' },
      [`GET ${ALGOLIA}?query=gr%C3%B6%C3%9Fe+%26+co&hitsPerPage=20`],
      [],
    ],
    [
      'hackernews_search',
      { query: 'x', tags: '(story,poll)', hitsPerPage: 5, page: 2 },
      [`GET ${ALGOLIA}?query=x&hitsPerPage=5&tags=%28story%2Cpoll%29&page=2`],
      [],
    ],
    ['hackernews_get_item', { id: 8863 }, [`GET ${V0}/item/8863.json`], []],
  ])('%s %j', async (name, args, requests, answers) => {
    expect(await sent(hackernews, name, args, answers)).toEqual(requests);
  });

  it('lists the front page in order, without deleted stories', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => index + 1);
    const story = (id: number) => ({
      id,
      title: `Story ${id}`,
      url: 'https://x',
      score: id,
      by: 'ana',
      kids: [1],
    });
    const items = ids.map((id) => [`${V0}/item/${id}.json`, id === 2 ? null : story(id)]);
    const answers = { [`${V0}/topstories.json`]: ids, ...Object.fromEntries(items) };
    const stories = await ask('hackernews_top_stories', { limit: 25 }, answers);
    const { kids: _, ...first } = story(1);
    expect(Array.isArray(stories) ? [stories.length, stories[0], stories[1]] : stories).toMatchObject([
      24,
      first,
      { id: 3 },
    ]);
  });

  it('says that an item does not exist', async () => {
    await expect(ask('hackernews_get_item', { id: 1 }, {})).rejects.toThrow('Hacker News has no item 1');
  });

  it.each([
    ['hackernews_top_stories', { limit: 101 }],
    ['hackernews_top_stories', { limit: 0 }],
    ['hackernews_get_item', { id: -1 }],
    ['hackernews_search', {}],
  ])('refuses for %s the arguments %j', async (name, args) => {
    await expect(sent(hackernews, name, args)).rejects.toThrow(/limit|id|query/);
  });
});
