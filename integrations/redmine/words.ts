// Lists words that people use for Redmine and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    redmine_list_issues: 'my mine assigned open',
    redmine_log_time: 'book track: hours spent',
    redmine_list_time_entries: 'hours spent logged',
    redmine_update_issue: 'assign close comment: status note',
  },
};
