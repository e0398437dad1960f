// Pull requests: found, reviewed and merged.
import * as z from 'zod';
import { asDiff } from './diff.ts';
import { names, paging, pullRequest, query, REPOSITORY, repository, row, sort } from './fields.ts';
import { mergePullRequest } from './merge-pull-request.ts';

const ONE = '/repositories/{workspace}/{repoSlug}/pullrequests/{pullRequestId}';

export const pullRequests = [
  row(
    'bitbucket_list_pull_requests',
    `GET ${REPOSITORY}/pullrequests`,
    'List the pull requests of a repository, open ones by default',
    () => ({
      ...repository,
      state: z
        .enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'])
        .default('OPEN')
        .describe('Only pull requests in this state'),
      query: query('title ~ "fix" AND source.branch.name = "dev"'),
      sort: sort('-updated_on'),
      // Bitbucket refuses more for pull requests.
      ...paging(10, 50),
    }),
    { names },
  ),
  row(
    'bitbucket_get_pull_request',
    `GET ${ONE}`,
    'Get a pull request with its state, branches and reviewers',
    () => pullRequest,
  ),
  mergePullRequest,
  row(
    'bitbucket_decline_pull_request',
    `POST ${ONE}/decline`,
    'Decline (close without merging) a pull request',
    () => pullRequest,
  ),
  row('bitbucket_approve_pull_request', `POST ${ONE}/approve`, 'Approve a pull request', () => pullRequest),
  row(
    'bitbucket_unapprove_pull_request',
    `DELETE ${ONE}/approve`,
    'Take back your approval of a pull request',
    () => pullRequest,
  ),
  row(
    'bitbucket_request_changes',
    `POST ${ONE}/request-changes`,
    'Request changes to a pull request',
    () => pullRequest,
  ),
  row(
    'bitbucket_get_pull_request_diff',
    `GET ${ONE}/diff`,
    'Get the diff of a pull request as text',
    () => pullRequest,
    {
      result: asDiff,
    },
  ),
  row(
    'bitbucket_get_pull_request_diffstat',
    `GET ${ONE}/diffstat`,
    'List the files a pull request changes, with lines added and removed, only the first page',
    () => pullRequest,
  ),
  row(
    'bitbucket_list_pull_request_comments',
    `GET ${ONE}/comments`,
    'List the comments of a pull request',
    () => ({ ...pullRequest, ...paging(50) }),
    { names },
  ),
  row(
    'bitbucket_resolve_comment',
    `POST ${ONE}/comments/{commentId}/resolve`,
    'Resolve a comment thread of a pull request',
    () => ({
      ...pullRequest,
      commentId: z
        .int()
        .describe('First comment of the thread: `id` from bitbucket_list_pull_request_comments'),
    }),
  ),
  row(
    'bitbucket_list_pull_request_commits',
    `GET ${ONE}/commits`,
    'List the commits of a pull request, only the first page',
    () => pullRequest,
  ),
  row(
    'bitbucket_list_pull_request_activity',
    `GET ${ONE}/activity`,
    'List what happened to a pull request: comments, approvals and updates, only the first page',
    () => pullRequest,
  ),
  row(
    'bitbucket_list_pull_request_statuses',
    `GET ${ONE}/statuses`,
    'List the build statuses of a pull request, only the first page',
    () => ({ ...pullRequest, query: query('name ~ "build"'), sort: sort('-created_on') }),
    { names: { query: 'q' } },
  ),
  row(
    'bitbucket_list_default_reviewers',
    `GET ${REPOSITORY}/effective-default-reviewers`,
    'List the default reviewers of a repository, only the first page',
    () => repository,
  ),
];
