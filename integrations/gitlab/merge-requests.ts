// Merge requests: found, changed, reviewed and merged.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { flag, ids, labels, mergeRequest, paging, project, row, send, some, text } from './fields.ts';

const LIST = '/projects/{projectId}/merge_requests';
const ONE = '/projects/{projectId}/merge_requests/{mergeRequestIid}';

export const mergeRequests = [
  row('gitlab_list_merge_requests', `GET ${LIST}`, 'List the merge requests of a project by page', () => ({
    ...project,
    state: z.enum(['opened', 'closed', 'locked', 'merged', 'all']).default('opened'),
    sourceBranch: some,
    targetBranch: some,
    authorUsername: some,
    reviewerUsername: some,
    labels,
    search: some,
    orderBy: some,
    sort: some,
    ...paging(10),
  })),
  row(
    'gitlab_list_my_merge_requests',
    'GET /merge_requests',
    'List merge requests across projects by page, those assigned to you by default',
    () => ({
      scope: text.default('assigned_to_me').describe('Also created_by_me, reviews_for_me or all'),
      state: text.default('opened'),
      search: some,
      ...paging(10),
    }),
  ),
  row('gitlab_get_merge_request', `GET ${ONE}`, 'Get one merge request', () => mergeRequest),
  row('gitlab_update_merge_request', `PUT ${ONE}`, 'Change, close or reopen a merge request', () => ({
    ...mergeRequest,
    title: some,
    description: some,
    targetBranch: some,
    stateEvent: z.enum(['close', 'reopen']).optional(),
    labels,
    assigneeIds: ids,
    reviewerIds: ids,
  })),
  tool(
    'gitlab_merge_merge_request',
    'Merge a merge request, or let it merge itself',
    () => ({
      ...mergeRequest,
      squash: flag,
      shouldRemoveSourceBranch: flag,
      mergeCommitMessage: some,
      sha: some.describe('Refused when the head of the source branch is another'),
      autoMerge: flag.describe('Merge when its pipeline succeeds'),
    }),
    // Before 17.11 the parameter had the other name, and without it GitLab would merge at once.
    (args, { upstream }) =>
      send(upstream, `PUT ${ONE}/merge`, { ...args, mergeWhenPipelineSucceeds: args.autoMerge }),
    'write',
  ),
  row('gitlab_approve_merge_request', `POST ${ONE}/approve`, 'Approve a merge request', () => ({
    ...mergeRequest,
    sha: some.describe('Refused when the head of the source branch is another'),
  })),
  row(
    'gitlab_list_merge_request_diffs',
    `GET ${ONE}/diffs`,
    'List the diffs of a merge request by page',
    () => ({
      ...mergeRequest,
      ...paging(20),
    }),
  ),
  row(
    'gitlab_list_merge_request_discussions',
    `GET ${ONE}/discussions`,
    'List the discussions of a merge request with their notes, by page',
    () => ({ ...mergeRequest, ...paging(20) }),
  ),
  row(
    'gitlab_create_merge_request_discussion',
    `POST ${ONE}/discussions`,
    'Start a discussion on a merge request, at a line of its diff when a position is given',
    () => ({
      ...mergeRequest,
      body: text,
      position: z
        .record(text, z.unknown())
        .optional()
        .describe(
          '{position_type: text, base_sha, start_sha, head_sha, old_path, new_path, old_line, new_line}',
        ),
    }),
  ),
  row('gitlab_add_merge_request_note', `POST ${ONE}/notes`, 'Comment on a merge request', () => ({
    ...mergeRequest,
    body: text,
  })),
];
