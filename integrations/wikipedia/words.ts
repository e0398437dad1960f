// Lists words that people use for Wikipedia and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'encyclopedia',
  tools: {
    wikipedia_search: 'read: encyclopedia fact knowledge article biography',
    wikipedia_get_page: 'read: encyclopedia article fact knowledge biography',
  },
};
