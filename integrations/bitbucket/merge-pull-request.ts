// Merges a pull request. A slow merge continues in the background, and Bitbucket then answers only with the
// address of its status. docs: Merge a pull request
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { flag, pullRequest, REPOSITORY, some, toCall } from './fields.ts';

export const mergePullRequest = tool(
  'bitbucket_merge_pull_request',
  'Merge a pull request; merging in the answer means that it is not done yet: bitbucket_get_pull_request tells when it is',
  () => ({
    ...pullRequest,
    message: some,
    mergeStrategy: z
      .enum([
        'merge_commit',
        'squash',
        'fast_forward',
        'squash_fast_forward',
        'rebase_fast_forward',
        'rebase_merge',
      ])
      .optional(),
    closeSourceBranch: flag,
  }),
  async (args, { upstream }) => {
    const answer = await upstream(toCall(`POST ${REPOSITORY}/pullrequests/{pullRequestId}/merge`, args));
    const payload = await readPayload(answer);
    return answer.status === 202 ? { merging: true, taskUrl: answer.headers.get('location') } : payload;
  },
  'write',
);
