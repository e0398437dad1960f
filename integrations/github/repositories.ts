// Repositories, their branches and commits.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { at, COMMITTISH, flag, PAGE, paging, repository, row, search, some, sorting, text } from './api.ts';
import { createBranch } from './create-branch.ts';
import { createRepository } from './create-repository.ts';

const TYPES = 'Kind of repository: all (the default), public, private, forks, sources or member';
const ORDERS = 'created (the default), updated, pushed or full_name';
const number = z.int().optional();

export const repositories: readonly Tool[] = [
  row(
    'github_whoami',
    'GET /user',
    'Get the GitHub account that is connected: login, name and id',
    () => ({}),
  ),
  row(
    'github_list_repositories',
    'GET /user/repos',
    'List repositories you have access to, in pages',
    () => ({
      visibility: z
        .enum(['all', 'public', 'private'])
        .default('all')
        .describe('Only public or private repositories, or all'),
      affiliation: some.describe(
        'Why you have access: owner, collaborator or organization_member, separated by commas',
      ),
      sort: z
        .enum(['created', 'updated', 'pushed', 'full_name'])
        .default('updated')
        .describe('Field to sort by; all but full_name are times'),
      direction: z
        .enum(['asc', 'desc'])
        .optional()
        .describe('Direction of the sort; desc unless given, but asc for full_name'),
      ...paging(30),
    }),
  ),
  row(
    'github_list_org_repositories',
    'GET /orgs/{org}/repos',
    'List repositories of an organization, in pages',
    () => ({
      org: text.describe('Login of the organization, such as github'),
      type: some.describe(TYPES),
      ...sorting(ORDERS),
      ...paging(30),
    }),
  ),
  row(
    'github_search_repositories',
    'GET /search/repositories',
    'Search repositories on all of GitHub, best matches first, in pages',
    () =>
      search(
        'Words and qualifiers, such as "parser language:go stars:>100"',
        'stars, forks, help-wanted-issues or updated',
      ),
    { names: { query: 'q' } },
  ),
  row(
    'github_get_repository',
    `GET ${at}`,
    'Get a repository: description, default branch, visibility and counts',
    () => repository,
  ),
  createRepository,
  row(
    'github_fork_repository',
    `POST ${at}/forks`,
    'Fork a repository; GitHub fills the fork a little later',
    () => ({
      ...repository,
      organization: some.describe('Login of the organization that gets the fork; your account unless given'),
      name: some.describe('Name of the fork; that of the original unless given'),
      defaultBranchOnly: flag.describe('True to copy only the default branch'),
    }),
  ),
  row('github_list_branches', `GET ${at}/branches`, 'List branches of a repository, in pages', () => ({
    ...repository,
    protected: flag.describe('True for only protected branches, false for only the others'),
    ...paging(30),
  })),
  createBranch,
  row('github_delete_branch', `DELETE ${at}/git/refs/{ref+}`, 'Delete a branch', () => ({
    ...repository,
    ref: text.describe('The branch after heads/, such as heads/feature-1'),
  })),
  row(
    'github_list_commits',
    `GET ${at}/commits`,
    'List commits of a repository, newest first, in pages',
    () => ({
      ...repository,
      sha: some.describe(`${COMMITTISH}, to start from; the default branch unless given`),
      path: some.describe('Only commits that changed this file or folder, such as docs/guide.md'),
      author: some.describe('Login or mail address of the author'),
      since: some.describe('Only commits after this time, such as 2026-03-01T00:00:00Z'),
      until: some.describe('Only commits before this time, such as 2026-03-31T00:00:00Z'),
      ...paging(30),
    }),
  ),
  row(
    'github_get_commit',
    `GET ${at}/commits/{ref}`,
    'Get a commit with the files it changed and their patches',
    () => ({
      ...repository,
      ref: text.describe(COMMITTISH),
    }),
  ),
  row(
    'github_compare_commits',
    `GET ${at}/compare/{basehead}`,
    'Compare two branches, tags or commits: the changed files, and the commits in pages',
    () => ({
      ...repository,
      basehead: text.describe('Base and head with three dots between, such as main...feature-1'),
      perPage: number.describe('Commits per page, at most 100'),
      page: number.describe(PAGE),
    }),
  ),
];
