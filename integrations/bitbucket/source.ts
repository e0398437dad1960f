// Branches, commits and diffs.
import * as z from 'zod';
import { asDiff } from './diff.ts';
import {
  flag,
  names,
  paging,
  perPage,
  query,
  REPOSITORY,
  repository,
  row,
  some,
  sort,
  text,
} from './fields.ts';

const BRANCHES = '/repositories/{workspace}/{repoSlug}/refs/branches';

export const source = [
  row(
    'bitbucket_list_branches',
    `GET ${BRANCHES}`,
    'List the branches of a repository with their newest commits',
    () => ({ ...repository, query: query('name ~ "feature"'), sort: sort('-target.date'), ...paging(25) }),
    { names },
  ),
  row(
    'bitbucket_create_branch',
    `POST ${BRANCHES}`,
    'Create a branch from a commit or another branch',
    () => ({
      ...repository,
      name: text.describe('Name of the new branch'),
      fromRef: text
        .transform((hash) => ({ hash }))
        .describe('Commit hash or branch to start from, e.g. main'),
    }),
    { names: { fromRef: 'target' } },
  ),
  row('bitbucket_delete_branch', `DELETE ${BRANCHES}/{name}`, 'Delete a branch', () => ({
    ...repository,
    name: text.describe('`name` from bitbucket_list_branches'),
  })),
  row(
    'bitbucket_list_commits',
    `GET ${REPOSITORY}/commits`,
    'List the commits of a repository, newest first, optionally of one branch or path',
    () => ({
      ...repository,
      include: some.describe('Branch, tag or commit whose history to list'),
      exclude: some.describe('Branch, tag or commit whose history to leave out'),
      path: some.describe('Only commits that change this file or folder'),
      perPage: perPage(20),
      page: some.describe('Value of `page` in the `next` URL of the previous answer'),
    }),
    { names },
  ),
  row(
    'bitbucket_get_commit',
    `GET ${REPOSITORY}/commit/{commit}`,
    'Get a commit with its message, author and parents, without its diff',
    () => ({
      ...repository,
      commit: text.describe('Commit hash, from bitbucket_list_commits'),
    }),
  ),
  row(
    'bitbucket_get_diff',
    `GET ${REPOSITORY}/diff/{spec}`,
    'Get the diff of a commit against its parent, or between two commits or branches',
    () => ({
      ...repository,
      // Bitbucket documents this order; it is the opposite of `git diff`.
      spec: text.describe('Commit or branch, or two as new..old (the reverse of git diff)'),
      context: z.int().optional().describe('Lines to show around each change, 3 if left out'),
      path: some.describe('Only the diff of this file'),
      ignoreWhitespace: flag.describe('true leaves out changes of whitespace only'),
    }),
    { result: asDiff },
  ),
];
