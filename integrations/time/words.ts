// Lists words that people use for Time and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  isCommon: true,
  tools: {
    time_now: 'current clock date day hour today',
    time_convert: 'clocktime timezone hour difference convert pm am',
  },
};
