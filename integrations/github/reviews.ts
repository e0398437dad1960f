// Reviews of pull requests, and the checks of a commit.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { at, COMMITTISH, MARKDOWN, paging, pull, repository, row, since, some, text, texts } from './api.ts';

const one = `${at}/pulls/{pullNumber}` as const;
const comment = () =>
  z.looseObject({
    path: text.describe('File that the pull request changes, such as src/app.ts'),
    body: text.describe(MARKDOWN),
    line: z.int().optional().describe('Line number in that file; the last line of several'),
    side: z
      .enum(['LEFT', 'RIGHT'])
      .optional()
      .describe('LEFT for deleted lines, RIGHT for added or unchanged ones'),
  });

export const reviews: readonly Tool[] = [
  row(
    'github_list_pull_request_reviews',
    `GET ${one}/reviews`,
    'List reviews of a pull request, oldest first, in pages',
    () => ({
      ...pull,
      ...paging(30),
    }),
  ),
  row(
    'github_create_pull_request_review',
    `POST ${one}/reviews`,
    'Approve a pull request, request changes or comment, also on its lines',
    () => ({
      ...pull,
      event: z
        .enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT'])
        .optional()
        .describe('What the review says; without it the review stays pending'),
      body: some.describe(`${MARKDOWN}. Required to request changes or to comment`),
      commitId: some.describe('Full SHA of the commit to review; the latest one unless given'),
      comments: z
        .array(comment())
        .optional()
        .describe('Comments on lines; start_line and start_side mark the first line of several'),
    }),
  ),
  row(
    'github_list_review_comments',
    `GET ${one}/comments`,
    'List comments on lines of a pull request, in pages; github_list_issue_comments lists the others',
    () => ({ ...pull, since, ...paging(30) }),
  ),
  row(
    'github_reply_to_review_comment',
    `POST ${one}/comments/{commentId}/replies`,
    'Reply to a comment on a line of a pull request',
    () => ({
      ...pull,
      commentId: z.int().describe('`id` from github_list_review_comments, not of a reply'),
      body: text.describe(MARKDOWN),
    }),
  ),
  row(
    'github_request_reviewers',
    `POST ${one}/requested_reviewers`,
    'Request reviews of a pull request from people or teams',
    () => ({
      ...pull,
      reviewers: texts.optional().describe("Logins of people, without the author's"),
      teamReviewers: texts.optional().describe('Slugs of teams in the organization, such as justice-league'),
    }),
  ),
  row(
    'github_get_commit_checks',
    `GET ${at}/commits/{ref}/check-runs`,
    'List check runs of a commit, branch or tag, in pages',
    () => ({
      ...repository,
      ref: text.describe(COMMITTISH),
      status: some.describe('Only checks in this status: queued, in_progress or completed'),
      filter: some.describe('latest (the default) for the newest run of each check, or all'),
      ...paging(50),
    }),
  ),
];
