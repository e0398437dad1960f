// Lists words that people use for Web search and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  isCommon: true,
  tools: {
    search_web: 'google look up find: internet online page current information',
    search_news: 'find: headline article press latest current',
    search_images: 'find: picture photo',
    search_papers: 'find: scholar study research academic',
    search_answer: 'ask: fact question current internet',
    search_extract: 'read scrape: page url content',
  },
};
