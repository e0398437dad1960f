// Issues, their comments and labels.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { at, issue, paging, repository, row, search, since, some, sorting, text, texts } from './api.ts';

const fields = {
  body: some,
  labels: texts.optional(),
  assignees: texts.optional().describe('Logins'),
  milestone: z.int().optional().describe('Its number'),
};

export const issues: readonly Tool[] = [
  row(
    'github_list_issues',
    `GET ${at}/issues`,
    'List issues of a repository, in pages; pull requests are among them, with the key pull_request',
    () => ({
      ...repository,
      state: z.enum(['open', 'closed', 'all']).default('open'),
      labels: some.describe('Names, separated by commas'),
      assignee: some.describe('Login, none or *'),
      creator: some,
      milestone: some.describe('Number, none or *'),
      since,
      ...sorting('created, updated or comments'),
      ...paging(10),
    }),
  ),
  row('github_get_issue', `GET ${at}/issues/{issueNumber}`, 'Get an issue', () => issue),
  row('github_create_issue', `POST ${at}/issues`, 'Create an issue', () => ({
    ...repository,
    title: text,
    ...fields,
    type: some.describe("Name of one of the organization's issue types"),
  })),
  row(
    'github_update_issue',
    `PATCH ${at}/issues/{issueNumber}`,
    'Change an issue, close it or open it again; labels and assignees are replaced',
    () => ({
      ...issue,
      title: some,
      ...fields,
      state: z.enum(['open', 'closed']).optional(),
      stateReason: some.describe('completed, not_planned, duplicate or reopened'),
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
    () => ({ ...issue, body: text }),
  ),
  row(
    'github_add_issue_labels',
    `POST ${at}/issues/{issueNumber}/labels`,
    'Add labels to an issue or pull request',
    () => ({ ...issue, labels: texts }),
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
        'Such as "crash repo:nodejs/node is:issue is:open"; is:issue or is:pull-request has to be in it',
      ),
    { names: { query: 'q' } },
  ),
];
