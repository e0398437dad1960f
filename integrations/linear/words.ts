// Lists words that people use for Linear and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'issuekey',
  called: {
    cycle: 'sprint',
  },
  tools: {
    linear_update_issue: 'assign close move resolve label: status state assignee priority estimate done due',
    linear_list_issues: 'my mine assigned open backlog',
    linear_list_cycles: 'sprint current iteration',
    linear_create_issue_relation: 'link: blocks blocked duplicate relates depends',
  },
};
