// Issues and their notes.
import * as z from 'zod';
import {
  allLabels,
  description,
  inTitle,
  issue,
  labels,
  markdown,
  orderBy,
  paging,
  project,
  row,
  some,
  sort,
  text,
  userIds,
  username,
  withLabels,
} from './fields.ts';

const LIST = '/projects/{projectId}/issues';
const ONE = '/projects/{projectId}/issues/{issueIid}';

export const issues = [
  row('gitlab_list_issues', `GET ${LIST}`, 'List the issues of a project, open ones by default', () => ({
    ...project,
    state: z.enum(['opened', 'closed', 'all']).default('opened').describe('Only issues in this state'),
    labels: withLabels,
    assigneeUsername: username('Only assigned to this person'),
    search: inTitle,
    orderBy: orderBy('created_at (default), updated_at, due_date, priority or title'),
    sort,
    ...paging(10),
  })),
  row(
    'gitlab_get_issue',
    `GET ${ONE}`,
    'Get an issue with its description, labels and assignees',
    () => issue,
  ),
  row('gitlab_create_issue', `POST ${LIST}`, 'Create an issue in a project', () => ({
    ...project,
    title: text.describe('Title of the issue'),
    description,
    labels,
    assigneeIds: userIds(),
    milestoneId: z.int().optional().describe('`milestone.id` of another issue or merge request, not its iid'),
    dueDate: some.describe('Due date, e.g. 2026-03-11'),
  })),
  row('gitlab_update_issue', `PUT ${ONE}`, 'Change, close or reopen an issue', () => ({
    ...issue,
    title: some.describe('New title'),
    description,
    stateEvent: z.enum(['close', 'reopen']).optional().describe('Closes or reopens the issue'),
    labels: allLabels,
    assigneeIds: userIds(),
  })),
  row('gitlab_add_issue_note', `POST ${ONE}/notes`, 'Comment on an issue', () => ({
    ...issue,
    body: markdown,
  })),
];
