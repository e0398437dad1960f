// Lists words that people use for Trello and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'kanban',
  called: {
    card: 'task',
    list: 'column',
  },
};
