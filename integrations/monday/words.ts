// Lists words that people use for monday.com and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  isCommon: true,
  called: {
    item: 'task',
    update: 'comment',
  },
};
