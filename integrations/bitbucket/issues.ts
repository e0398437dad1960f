// Issues of repositories that have an issue tracker.
import { names, object, paging, query, REPOSITORY, repository, row, some, text } from './fields.ts';

export const issues = [
  row(
    'bitbucket_list_issues',
    `GET ${REPOSITORY}/issues`,
    'List the issues of a repository by page',
    () => ({ ...repository, query, sort: some, ...paging(10) }),
    { names },
  ),
  row('bitbucket_create_issue', `POST ${REPOSITORY}/issues`, 'Create an issue', () => ({
    ...repository,
    title: text,
    content: object.describe('Such as {"raw": "Markdown"}'),
    kind: some.describe('bug, enhancement, proposal or task'),
    priority: some.describe('trivial, minor, major, critical or blocker'),
    assignee: object.describe('Such as {"uuid": "{…}"}'),
  })),
];
