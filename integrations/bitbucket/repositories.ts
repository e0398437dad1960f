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
  sort,
  text,
  workspace,
} from './fields.ts';

export const repositories = [
  row('bitbucket_whoami', 'GET /user', 'Get the Bitbucket user of the connection', () => ({})),
  row(
    'bitbucket_list_workspaces',
    'GET /user/workspaces',
    'List the workspaces that you are a member of',
    () => ({ ...paging(20) }),
    { names },
  ),
  row(
    'bitbucket_list_repositories',
    'GET /repositories/{workspace}',
    'List the repositories of a workspace',
    () => ({
      ...workspace,
      role: z
        .enum(['admin', 'contributor', 'member', 'owner'])
        .optional()
        .describe('Only repositories where you have this role'),
      query: query('name ~ "api"'),
      sort: sort('-updated_on'),
      ...paging(10),
    }),
    { names },
  ),
  row(
    'bitbucket_get_repository',
    `GET ${REPOSITORY}`,
    'Get a repository with its main branch and project',
    () => repository,
  ),
  row('bitbucket_create_repository', `POST ${REPOSITORY}`, 'Create a repository in a workspace', () => ({
    ...repository,
    repoSlug: text.describe('Slug of the new repository, e.g. my-app'),
    description: some.describe('What the repository is for, in a sentence or two'),
    isPrivate: z.boolean().default(true).describe('false makes it public'),
    project: object.describe('Project that it belongs to, e.g. {"key": "PROJ"}'),
    mainbranch: object.describe('Name of its main branch, e.g. {"name": "main"}'),
  })),
  row(
    'bitbucket_list_workspace_members',
    'GET /workspaces/{workspace}/members',
    'List the members of a workspace, with the uuids to give for reviewers and assignees',
    () => ({ ...workspace, ...paging(50) }),
    { names },
  ),
  row(
    'bitbucket_search_code',
    'GET /workspaces/{workspace}/search/code',
    'Search the code of all repositories of a workspace',
    () => ({
      ...workspace,
      query: text.describe('Words, with filters such as repo:api or lang:go'),
      ...paging(10),
    }),
    { names: { ...names, query: 'search_query' } },
  ),
];
