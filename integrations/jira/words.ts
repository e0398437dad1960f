// Lists words that people use for Jira and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'atlassian issuekey',
  owned: 'jql',
  tools: {
    jira_search_issues: 'list: find my mine assigned open backlog sprint epic board jql task',
    jira_transition_issue:
      'close resolve reopen move update: status state workflow done progress column board',
    jira_list_transitions: 'possible next workflow',
    jira_add_worklog: 'book track log: hours time spent',
    jira_list_worklogs: 'hours time spent booked',
    jira_update_issue: 'priority summary title description edit due date component',
    jira_search_users: 'assignee person account assign',
    jira_add_attachment: 'upload attach: file screenshot document picture',
    jira_get_create_meta: 'required fields issue types',
    jira_link_issues: 'blocks blocked duplicate relates depends',
  },
};
