// Merges a pull request. A slow merge continues in the background, and Bitbucket then answers only with the
// address of its status. docs: Merge a pull request
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { closeSourceBranch, pullRequest, REPOSITORY, some, toCall } from './fields.ts';

export const mergePullRequest = tool(
  'bitbucket_merge_pull_request',
  'Merge a pull request. An answer with `merging` means that it goes on in the background: bitbucket_get_pull_request shows when it is done',
  () => ({
    ...pullRequest,
    message: some.describe('Message of the merge commit; Bitbucket writes one if left out'),
    mergeStrategy: z
      .enum([
        'merge_commit',
        'squash',
        'fast_forward',
        'squash_fast_forward',
        'rebase_fast_forward',
        'rebase_merge',
      ])
      .optional()
      .describe('How to combine the commits; the default of Bitbucket if left out'),
    closeSourceBranch,
  }),
  async (args, { upstream }) => {
    const answer = await upstream(toCall(`POST ${REPOSITORY}/pullrequests/{pullRequestId}/merge`, args));
    const payload = await readPayload(answer);
    return answer.status === 202 ? { merging: true, taskUrl: answer.headers.get('location') } : payload;
  },
  'write',
);
