// Branches, commits and diffs.
import * as z from 'zod';
import { asDiff } from './diff.ts';
import { flag, names, paging, perPage, query, REPOSITORY, repository, row, some, text } from './fields.ts';

const BRANCHES = '/repositories/{workspace}/{repoSlug}/refs/branches';

export const source = [
  row(
    'bitbucket_list_branches',
    `GET ${BRANCHES}`,
    'List the branches of a repository by page',
    () => ({ ...repository, query, sort: some, ...paging(25) }),
    { names },
  ),
  row(
    'bitbucket_create_branch',
    `POST ${BRANCHES}`,
    'Create a branch from a commit or another branch',
    () => ({ ...repository, name: text, fromRef: text.transform((hash) => ({ hash })) }),
    { names: { fromRef: 'target' } },
  ),
  row('bitbucket_delete_branch', `DELETE ${BRANCHES}/{name}`, 'Delete a branch', () => ({
    ...repository,
    name: text,
  })),
  row(
    'bitbucket_list_commits',
    `GET ${REPOSITORY}/commits`,
    'List commits by page, of refs to include or exclude, or of a path',
    () => ({
      ...repository,
      include: some.describe('A branch, tag or commit whose history is listed'),
      exclude: some.describe('A branch, tag or commit whose history is left out'),
      path: some,
      perPage: perPage(20),
      page: some.describe('What `next` of the page before has as page'),
    }),
    { names },
  ),
  row('bitbucket_get_commit', `GET ${REPOSITORY}/commit/{commit}`, 'Get one commit', () => ({
    ...repository,
    commit: text,
  })),
  row(
    'bitbucket_get_diff',
    `GET ${REPOSITORY}/diff/{spec}`,
    'Get the diff of a commit, or of two',
    () => ({
      ...repository,
      // Bitbucket documents this order; it is the opposite of `git diff`.
      spec: text.describe('A commit or branch; or new..old, the other way round than git diff has them'),
      context: z.int().optional().describe('Lines around each change'),
      path: some,
      ignoreWhitespace: flag,
    }),
    { result: asDiff },
  ),
];
