// Issues of repositories that have an issue tracker.
import { names, object, paging, query, REPOSITORY, repository, row, some, sort, text } from './fields.ts';

export const issues = [
  row(
    'bitbucket_list_issues',
    `GET ${REPOSITORY}/issues`,
    'List the issues of a repository that has the issue tracker turned on',
    () => ({
      ...repository,
      query: query('state = "open" AND kind = "bug"'),
      sort: sort('-updated_on'),
      ...paging(10),
    }),
    { names },
  ),
  row('bitbucket_create_issue', `POST ${REPOSITORY}/issues`, 'Create an issue in a repository', () => ({
    ...repository,
    title: text.describe('Title of the issue'),
    content: object.describe('Description as {"raw": "text in Markdown"}'),
    kind: some.describe('bug, enhancement, proposal or task'),
    priority: some.describe('trivial, minor, major, critical or blocker'),
    assignee: object.describe('Person as {"uuid": "{…}"}, the uuid from bitbucket_list_workspace_members'),
  })),
];
