// The person, workspaces and repositories.
import * as z from 'zod';
import {
  names,
  object,
  paging,
  query,
  REPOSITORY,
  repository,
  row,
  some,
  text,
  workspace,
} from './fields.ts';

export const repositories = [
  row('bitbucket_whoami', 'GET /user', 'Get the Bitbucket user of the connection', () => ({})),
  row(
    'bitbucket_list_workspaces',
    'GET /user/workspaces',
    'List your workspaces by page',
    () => ({ ...paging(20) }),
    { names },
  ),
  row(
    'bitbucket_list_repositories',
    'GET /repositories/{workspace}',
    'List the repositories of a workspace by page',
    () => ({
      ...workspace,
      role: z.enum(['admin', 'contributor', 'member', 'owner']).optional(),
      query,
      sort: some,
      ...paging(10),
    }),
    { names },
  ),
  row('bitbucket_get_repository', `GET ${REPOSITORY}`, 'Get one repository', () => repository),
  row('bitbucket_create_repository', `POST ${REPOSITORY}`, 'Create a repository', () => ({
    ...repository,
    description: some,
    isPrivate: z.boolean().default(true),
    project: object.describe('Such as {"key": "PROJ"}'),
    mainbranch: object.describe('Such as {"name": "main"}'),
  })),
  row(
    'bitbucket_list_workspace_members',
    'GET /workspaces/{workspace}/members',
    'List the members of a workspace by page, with the uuids that reviewers are named by',
    () => ({ ...workspace, ...paging(50) }),
    { names },
  ),
  row(
    'bitbucket_search_code',
    'GET /workspaces/{workspace}/search/code',
    'Search the code of a workspace by page',
    () => ({ ...workspace, query: text.describe('Such as handler repo:api lang:go'), ...paging(10) }),
    { names: { ...names, query: 'search_query' } },
  ),
];
