// Issues and their notes.
import * as z from 'zod';
import { ids, issue, labels, paging, project, row, some, text } from './fields.ts';

const LIST = '/projects/{projectId}/issues';
const ONE = '/projects/{projectId}/issues/{issueIid}';

export const issues = [
  row('gitlab_list_issues', `GET ${LIST}`, 'List the issues of a project by page', () => ({
    ...project,
    state: z.enum(['opened', 'closed', 'all']).default('opened'),
    labels,
    assigneeUsername: some,
    search: some,
    orderBy: some,
    sort: some,
    ...paging(10),
  })),
  row('gitlab_get_issue', `GET ${ONE}`, 'Get one issue', () => issue),
  row('gitlab_create_issue', `POST ${LIST}`, 'Create an issue', () => ({
    ...project,
    title: text,
    description: some,
    labels,
    assigneeIds: ids,
    milestoneId: z.int().optional(),
    dueDate: some.describe('Such as 2026-03-11'),
  })),
  row('gitlab_update_issue', `PUT ${ONE}`, 'Change, close or reopen an issue', () => ({
    ...issue,
    title: some,
    description: some,
    stateEvent: z.enum(['close', 'reopen']).optional(),
    labels,
    assigneeIds: ids,
  })),
  row('gitlab_add_issue_note', `POST ${ONE}/notes`, 'Comment on an issue', () => ({ ...issue, body: text })),
];
