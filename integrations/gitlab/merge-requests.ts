// Merge requests: found, changed, reviewed and merged.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import {
  allLabels,
  description,
  flag,
  inTitle,
  markdown,
  mergeRequest,
  orderBy,
  paging,
  project,
  row,
  send,
  some,
  sort,
  text,
  userIds,
  username,
  withLabels,
} from './fields.ts';

const LIST = '/projects/{projectId}/merge_requests';
const ONE = '/projects/{projectId}/merge_requests/{mergeRequestIid}';

const headSha = some.describe('Expected head commit of the source branch; refused if it is another');

export const mergeRequests = [
  row(
    'gitlab_list_merge_requests',
    `GET ${LIST}`,
    'List the merge requests of a project, open ones by default',
    () => ({
      ...project,
      state: z
        .enum(['opened', 'closed', 'locked', 'merged', 'all'])
        .default('opened')
        .describe('Only merge requests in this state'),
      sourceBranch: some.describe('Only from this branch'),
      targetBranch: some.describe('Only into this branch'),
      authorUsername: username('Only by this author'),
      reviewerUsername: username('Only with this reviewer'),
      labels: withLabels,
      search: inTitle,
      orderBy: orderBy('created_at (default), updated_at, merged_at, priority or title'),
      sort,
      ...paging(10),
    }),
  ),
  row(
    'gitlab_list_my_merge_requests',
    'GET /merge_requests',
    'List merge requests across all projects, those assigned to you by default',
    () => ({
      scope: text.default('assigned_to_me').describe('assigned_to_me, created_by_me, reviews_for_me or all'),
      state: text.default('opened').describe('opened, closed, locked, merged or all'),
      search: inTitle,
      ...paging(10),
    }),
  ),
  row(
    'gitlab_get_merge_request',
    `GET ${ONE}`,
    'Get a merge request with its state, branches and `diff_refs`',
    () => mergeRequest,
  ),
  row('gitlab_update_merge_request', `PUT ${ONE}`, 'Change, close or reopen a merge request', () => ({
    ...mergeRequest,
    title: some.describe('New title'),
    description,
    targetBranch: some.describe('New branch to merge into'),
    stateEvent: z.enum(['close', 'reopen']).optional().describe('Closes or reopens the merge request'),
    labels: allLabels,
    assigneeIds: userIds(),
    reviewerIds: userIds(),
  })),
  tool(
    'gitlab_merge_merge_request',
    'Merge a merge request now, or when its pipeline succeeds',
    () => ({
      ...mergeRequest,
      squash: flag.describe('true combines all commits into one'),
      shouldRemoveSourceBranch: flag.describe('true deletes the source branch after the merge'),
      mergeCommitMessage: some.describe('Message of the merge commit; GitLab writes one if left out'),
      sha: headSha,
      autoMerge: flag.describe('true waits and merges when the pipeline succeeds'),
    }),
    // Before 17.11 the parameter had the other name, and without it GitLab would merge at once.
    (args, { upstream }) =>
      send(upstream, `PUT ${ONE}/merge`, { ...args, mergeWhenPipelineSucceeds: args.autoMerge }),
    'write',
  ),
  row('gitlab_approve_merge_request', `POST ${ONE}/approve`, 'Approve a merge request', () => ({
    ...mergeRequest,
    sha: headSha,
  })),
  row(
    'gitlab_list_merge_request_diffs',
    `GET ${ONE}/diffs`,
    'List the changed files of a merge request with their diffs',
    () => ({
      ...mergeRequest,
      ...paging(20),
    }),
  ),
  row(
    'gitlab_list_merge_request_discussions',
    `GET ${ONE}/discussions`,
    'List the discussions of a merge request with their notes (comments)',
    () => ({ ...mergeRequest, ...paging(20) }),
  ),
  row(
    'gitlab_create_merge_request_discussion',
    `POST ${ONE}/discussions`,
    'Start a discussion on a merge request, or at a line of its diff with `position`',
    () => ({
      ...mergeRequest,
      body: markdown,
      position: z
        .record(text, z.unknown())
        .optional()
        .describe(
          'Line of the diff: {position_type: "text", base_sha, start_sha, head_sha, old_path, new_path, and new_line (added), old_line (removed) or both}; SHAs from `diff_refs` of gitlab_get_merge_request',
        ),
    }),
  ),
  row('gitlab_add_merge_request_note', `POST ${ONE}/notes`, 'Comment on a merge request as a whole', () => ({
    ...mergeRequest,
    body: markdown,
  })),
];
