// Issues, their comments and labels.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import {
  at,
  issue,
  MARKDOWN,
  paging,
  repository,
  row,
  search,
  since,
  some,
  sorting,
  text,
  texts,
} from './api.ts';

const LABELS = 'Names of labels from github_list_labels, such as bug';
const fields = () => ({
  body: some.describe(MARKDOWN),
  labels: texts.optional().describe(LABELS),
  assignees: texts.optional().describe('Logins of the people who work on it'),
  milestone: z.int().optional().describe('Number of the milestone, from its address or an issue that has it'),
});

export const issues: readonly Tool[] = [
  row(
    'github_list_issues',
    `GET ${at}/issues`,
    'List issues of a repository, in pages; pull requests are among them, with the key pull_request',
    () => ({
      ...repository,
      state: z.enum(['open', 'closed', 'all']).default('open').describe('Only open or closed issues, or all'),
      labels: some.describe('Names of labels that it has, separated by commas'),
      assignee: some.describe('Login, none for nobody, or * for anybody'),
      creator: some.describe('Login of the person who opened it'),
      milestone: some.describe('Number of the milestone, none for no milestone, or * for any'),
      since,
      ...sorting('created (the default), updated or comments'),
      ...paging(10),
    }),
  ),
  row(
    'github_get_issue',
    `GET ${at}/issues/{issueNumber}`,
    'Get an issue with its text, labels and state',
    () => issue,
  ),
  row('github_create_issue', `POST ${at}/issues`, 'Create an issue', () => ({
    ...repository,
    title: text.describe('One line that sums up the issue'),
    ...fields(),
    type: some.describe("Name of one of the organization's issue types, such as Bug"),
  })),
  row(
    'github_update_issue',
    `PATCH ${at}/issues/{issueNumber}`,
    'Change an issue, close it or open it again. Given labels and assignees replace all that it has',
    () => ({
      ...issue,
      title: some.describe('New title; unchanged unless given'),
      ...fields(),
      state: z.enum(['open', 'closed']).optional().describe('closed to close it, open to open it again'),
      stateReason: some.describe('Why its state changes: completed, not_planned, duplicate or reopened'),
    }),
  ),
  row(
    'github_list_issue_comments',
    `GET ${at}/issues/{issueNumber}/comments`,
    'List comments of an issue or pull request, in pages',
    () => ({ ...issue, since, ...paging(30) }),
  ),
  row(
    'github_add_issue_comment',
    `POST ${at}/issues/{issueNumber}/comments`,
    'Comment on an issue or pull request',
    () => ({ ...issue, body: text.describe(MARKDOWN) }),
  ),
  row(
    'github_add_issue_labels',
    `POST ${at}/issues/{issueNumber}/labels`,
    'Add labels to an issue or pull request; those it has stay',
    () => ({ ...issue, labels: texts.describe(LABELS) }),
  ),
  row('github_list_labels', `GET ${at}/labels`, 'List labels of a repository, in pages', () => ({
    ...repository,
    ...paging(50),
  })),
  row(
    'github_search_issues',
    'GET /search/issues',
    'Search issues and pull requests on all of GitHub, in pages',
    () =>
      search(
        'Words and qualifiers, such as "crash repo:nodejs/node is:issue is:open". Include is:issue or is:pull-request',
        'created, updated, comments, reactions or interactions',
      ),
    { names: { query: 'q' } },
  ),
];
