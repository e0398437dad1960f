// Lists words that people use for Web and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'internet',
  isCommon: true,
  tools: {
    web_fetch:
      'read open visit scrape crawl browse summarize: url link address http html website page article documentation blog text content online internet',
  },
};
