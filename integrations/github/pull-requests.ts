// Pull requests, from opening to merging.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { at, paging, pull, repository, row, some } from './api.ts';
import { createPullRequest } from './create-pull-request.ts';

const one = `${at}/pulls/{pullNumber}` as const;

export const pullRequests: readonly Tool[] = [
  // reference: Tool descriptor
  row('github_list_pull_requests', `GET ${at}/pulls`, 'List pull requests of a repository, in pages', () => ({
    ...repository,
    state: z.enum(['open', 'closed', 'all']).default('open'),
    perPage: z.number().default(10),
    page: z.number().default(1),
  })),
  row('github_get_pull_request', `GET ${one}`, 'Get a pull request', () => pull),
  row('github_get_pull_request_diff', `GET ${one}`, 'Get the diff of a pull request as text', () => pull, {
    headers: { accept: 'application/vnd.github.diff' },
    result: (payload) => ({ diff: typeof payload === 'string' ? payload : '' }),
  }),
  createPullRequest,
  row(
    'github_update_pull_request',
    `PATCH ${one}`,
    'Change a pull request, close it or open it again',
    () => ({
      ...pull,
      title: some,
      body: some,
      state: z.enum(['open', 'closed']).optional(),
      base: some.describe('Branch it is to be merged into'),
    }),
  ),
  row('github_merge_pull_request', `PUT ${one}/merge`, 'Merge a pull request', () => ({
    ...pull,
    mergeMethod: z.enum(['merge', 'squash', 'rebase']).default('merge'),
    commitTitle: some,
    commitMessage: some,
    sha: some.describe('Merge only if the head is still at this commit'),
  })),
  row(
    'github_update_pull_request_branch',
    `PUT ${one}/update-branch`,
    'Bring the branch of a pull request up to date with its base; done a little later',
    () => ({ ...pull, expectedHeadSha: some.describe('Only if the head is still at this commit') }),
  ),
  row(
    'github_list_pull_request_files',
    `GET ${one}/files`,
    'List files a pull request changes, in pages',
    () => ({
      ...pull,
      ...paging(30),
    }),
  ),
  row(
    'github_list_pull_request_commits',
    `GET ${one}/commits`,
    'List commits of a pull request, in pages',
    () => ({
      ...pull,
      ...paging(30),
    }),
  ),
];
