// Lists words that people use for events and their tools, and that their texts lack.
import type { Words } from '../kit/words.ts';

export const words: Words = {
  spoken: 'notification trigger webhook',
  isCommon: true,
};
