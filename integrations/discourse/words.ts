// Lists words that people use for Discourse and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'forum community',
  tools: {
    discourse_create_post: 'reply write: topic thread answer question new forum',
    discourse_search: 'find: opinion forum',
    discourse_list_latest_topics: 'newest recent forum posts',
    discourse_list_top_topics: 'popular best forum',
  },
};
