// Creates a merge request for a branch, or updates the open one.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { UpstreamError } from '../../src/kit/payload.ts';
import { description, flag, labels, project, send, text, userIds } from './fields.ts';

const Opened = z.lazy(() =>
  z.array(
    z.looseObject({
      iid: z.int(),
      target_branch: z.string().optional(),
      source_project_id: z.int().optional(),
      target_project_id: z.int().optional(),
    }),
  ),
);

export const createMergeRequest = tool(
  'gitlab_create_merge_request',
  'Create a merge request, or update the open one that has the same source branch',
  () => ({
    ...project,
    sourceBranch: text.describe('Branch with the changes'),
    targetBranch: text.describe('Branch to merge into, e.g. main'),
    title: text.describe('Title; begin it with "Draft: " for a draft'),
    description,
    labels,
    assigneeIds: userIds(),
    reviewerIds: userIds(),
    removeSourceBranch: flag.describe('true deletes the source branch after the merge'),
    squash: flag.describe('true combines all commits into one when merging'),
  }),
  async (args, { upstream }) => {
    try {
      return await send(upstream, 'POST /projects/{projectId}/merge_requests', args);
    } catch (error) {
      if (!(error instanceof UpstreamError && error.status === 409)) throw error;
      const { projectId, sourceBranch, ...changes } = args;
      const filter = { projectId, state: 'opened', sourceBranch, perPage: 100 };
      const found = await send(upstream, 'GET /projects/{projectId}/merge_requests', filter);
      const mergeRequestIid = chooseOpened(Opened.parse(found), args.targetBranch)?.iid;
      if (mergeRequestIid === undefined) throw error;
      const place = { projectId, mergeRequestIid };
      return send(upstream, 'PUT /projects/{projectId}/merge_requests/{mergeRequestIid}', {
        ...place,
        ...changes,
      });
    }
  },
  'write',
);

/** One branch can have an open merge request per target, and a fork may have a branch with the same name. */
function chooseOpened(opened: z.infer<typeof Opened>, targetBranch: string) {
  const own = opened.filter((one) => one.source_project_id === one.target_project_id);
  return own.find((one) => one.target_branch === targetBranch) ?? own[0];
}
