// Reviews of pull requests, and the checks of a commit.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { at, paging, pull, repository, row, since, some, text, texts } from './api.ts';

const one = `${at}/pulls/{pullNumber}` as const;
const comment = z.looseObject({
  path: text,
  body: text,
  line: z.int().optional(),
  side: z.enum(['LEFT', 'RIGHT']).optional(),
});

export const reviews: readonly Tool[] = [
  row(
    'github_list_pull_request_reviews',
    `GET ${one}/reviews`,
    'List reviews of a pull request, in pages',
    () => ({
      ...pull,
      ...paging(30),
    }),
  ),
  row(
    'github_create_pull_request_review',
    `POST ${one}/reviews`,
    'Review a pull request, with comments on its lines',
    () => ({
      ...pull,
      event: z
        .enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT'])
        .optional()
        .describe('Without it the review stays pending'),
      body: some.describe('Required to request changes or to comment'),
      commitId: some,
      comments: z.array(comment).optional().describe('As the API has them; start_line and start_side too'),
    }),
  ),
  row(
    'github_list_review_comments',
    `GET ${one}/comments`,
    'List comments on lines of a pull request, in pages',
    () => ({ ...pull, since, ...paging(30) }),
  ),
  row(
    'github_reply_to_review_comment',
    `POST ${one}/comments/{commentId}/replies`,
    'Reply to a comment on a line of a pull request',
    () => ({ ...pull, commentId: z.int(), body: text }),
  ),
  row(
    'github_request_reviewers',
    `POST ${one}/requested_reviewers`,
    'Request reviews of a pull request',
    () => ({
      ...pull,
      reviewers: texts.optional().describe("Logins, without the author's"),
      teamReviewers: texts.optional().describe('Slugs of teams'),
    }),
  ),
  row(
    'github_get_commit_checks',
    `GET ${at}/commits/{ref}/check-runs`,
    'List check runs of a commit, branch or tag, in pages',
    () => ({
      ...repository,
      ref: text,
      status: some.describe('queued, in_progress or completed'),
      filter: some.describe('latest or all'),
      ...paging(50),
    }),
  ),
];
