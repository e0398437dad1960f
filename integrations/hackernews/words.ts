// Lists words that people use for Hacker News and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'news',
  aliases: {
    'hacker news': 'hackernews',
    hn: 'hackernews',
  },
  called: {
    item: 'story comment post',
  },
  tools: {
    hackernews_top_stories: 'best news tech trending popular headline front page',
    hackernews_search: 'find discussion opinion think about',
    hackernews_get_item: 'read: comments discussion thread story',
  },
};
