// Lists words that people use for Git and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  isCommon: true,
  tools: {
    git_list_refs: 'show: branch tag head remote plain server',
  },
};
