// Pull requests, from opening to merging.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { at, MARKDOWN, PAGE, paging, pull, repository, row, some } from './api.ts';
import { createPullRequest } from './create-pull-request.ts';

const one = `${at}/pulls/{pullNumber}` as const;

export const pullRequests: readonly Tool[] = [
  // reference: Tool descriptor
  row(
    'github_list_pull_requests',
    `GET ${at}/pulls`,
    'List pull requests of a repository, newest first, in pages',
    () => ({
      ...repository,
      state: z
        .enum(['open', 'closed', 'all'])
        .default('open')
        .describe('Only open or closed pull requests, or all'),
      perPage: z.number().default(10).describe('Results per page, at most 100'),
      page: z.number().default(1).describe(PAGE),
    }),
  ),
  row(
    'github_get_pull_request',
    `GET ${one}`,
    'Get a pull request: its text, state, branches and whether it can be merged',
    () => pull,
  ),
  row('github_get_pull_request_diff', `GET ${one}`, 'Get the diff of a pull request as text', () => pull, {
    headers: { accept: 'application/vnd.github.diff' },
    result: (payload) => ({ diff: typeof payload === 'string' ? payload : '' }),
  }),
  createPullRequest,
  row(
    'github_update_pull_request',
    `PATCH ${one}`,
    'Change the title, text or base of a pull request, close it or open it again',
    () => ({
      ...pull,
      title: some.describe('New title; unchanged unless given'),
      body: some.describe(MARKDOWN),
      state: z.enum(['open', 'closed']).optional().describe('closed to close it, open to open it again'),
      base: some.describe('Branch to merge it into, such as main'),
    }),
  ),
  row('github_merge_pull_request', `PUT ${one}/merge`, 'Merge a pull request into its base branch', () => ({
    ...pull,
    mergeMethod: z
      .enum(['merge', 'squash', 'rebase'])
      .default('merge')
      .describe('Make a merge commit, squash into one commit, or rebase the commits'),
    commitTitle: some.describe('First line of the merge commit; GitHub writes it unless given'),
    commitMessage: some.describe('Text below the first line of the merge commit'),
    sha: some.describe('Full SHA: merge only if the head is still at this commit'),
  })),
  row(
    'github_update_pull_request_branch',
    `PUT ${one}/update-branch`,
    'Bring the branch of a pull request up to date with its base; GitHub does it a little later',
    () => ({
      ...pull,
      expectedHeadSha: some.describe('Full SHA: update only if the head is still at this commit'),
    }),
  ),
  row(
    'github_list_pull_request_files',
    `GET ${one}/files`,
    'List the files that a pull request changes, with their patches, in pages',
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
