// Repositories, their branches and commits.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { at, flag, paging, repository, row, search, since, some, sorting, text } from './api.ts';
import { createBranch } from './create-branch.ts';
import { createRepository } from './create-repository.ts';

const TYPES = 'all, public, private, forks, sources or member';
const ORDERS = 'created, updated, pushed or full_name';
const number = z.int().optional();

export const repositories: readonly Tool[] = [
  row('github_whoami', 'GET /user', 'The GitHub account that is connected', () => ({})),
  row(
    'github_list_repositories',
    'GET /user/repos',
    'List repositories you have access to, in pages',
    () => ({
      visibility: z.enum(['all', 'public', 'private']).default('all'),
      affiliation: some.describe('Of owner, collaborator and organization_member, separated by commas'),
      sort: z.enum(['created', 'updated', 'pushed', 'full_name']).default('updated'),
      direction: z.enum(['asc', 'desc']).optional(),
      ...paging(30),
    }),
  ),
  row(
    'github_list_org_repositories',
    'GET /orgs/{org}/repos',
    'List repositories of an organization, in pages',
    () => ({ org: text, type: some.describe(TYPES), ...sorting(ORDERS), ...paging(30) }),
  ),
  row(
    'github_search_repositories',
    'GET /search/repositories',
    'Search repositories on all of GitHub, in pages',
    () => search('Words and qualifiers, such as "parser language:go stars:>100"'),
    { names: { query: 'q' } },
  ),
  row('github_get_repository', `GET ${at}`, 'Get a repository', () => repository),
  createRepository,
  row('github_fork_repository', `POST ${at}/forks`, 'Fork a repository; it is ready a little later', () => ({
    ...repository,
    organization: some.describe('Where the fork goes, if not to you'),
    name: some,
    defaultBranchOnly: flag,
  })),
  row('github_list_branches', `GET ${at}/branches`, 'List branches of a repository, in pages', () => ({
    ...repository,
    protected: flag,
    ...paging(30),
  })),
  createBranch,
  row('github_delete_branch', `DELETE ${at}/git/refs/{ref+}`, 'Delete a branch', () => ({
    ...repository,
    ref: text.describe('heads/ and the branch, such as heads/feature-1'),
  })),
  row('github_list_commits', `GET ${at}/commits`, 'List commits of a repository, in pages', () => ({
    ...repository,
    sha: some.describe('Branch, tag or commit to start from'),
    path: some.describe('Only commits that changed this path'),
    author: some.describe('Login or mail address'),
    since,
    until: since,
    ...paging(30),
  })),
  row('github_get_commit', `GET ${at}/commits/{ref}`, 'Get a commit with the files it changed', () => ({
    ...repository,
    ref: text.describe('Commit, branch or tag'),
  })),
  row(
    'github_compare_commits',
    `GET ${at}/compare/{basehead}`,
    'Compare two branches, tags or commits, with the commits in pages',
    () => ({
      ...repository,
      basehead: text.describe('Such as main...feature-1'),
      perPage: number,
      page: number,
    }),
  ),
];
