// Lists words that people use for Airtable and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'spreadsheet database',
  called: {
    record: 'row',
  },
};
