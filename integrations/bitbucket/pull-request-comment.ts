// A comment on a pull request: by itself, as a reply, or at a line of the diff.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { pullRequest, REPOSITORY, send, some, text } from './fields.ts';

export const addPullRequestComment = tool(
  'bitbucket_add_pull_request_comment',
  'Comment on a pull request, reply to a comment, or comment on a file or line of the diff',
  () => ({
    ...pullRequest,
    text: text.describe('Comment in Markdown'),
    parentId: z
      .int()
      .optional()
      .describe('Comment to reply to: `id` from bitbucket_list_pull_request_comments'),
    inlinePath: some.describe('Path of the file to comment on, e.g. src/index.ts'),
    inlineTo: z.int().optional().describe('Line of inlinePath, as numbered after the change'),
  }),
  async ({ text: raw, parentId, inlinePath, inlineTo, ...place }, { upstream }) => {
    if (inlineTo !== undefined && inlinePath === undefined)
      throw new Error('inlineTo is a line of a file: give inlinePath too');
    return send(upstream, `POST ${REPOSITORY}/pullrequests/{pullRequestId}/comments`, {
      ...place,
      content: { raw },
      parent: parentId === undefined ? undefined : { id: parentId },
      inline: inlinePath === undefined ? undefined : { path: inlinePath, to: inlineTo },
    });
  },
  'write',
);
