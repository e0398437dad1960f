// Search everywhere, or in one project.
import { tool } from '../../src/kit/integration.ts';
import { paging, projectId, send, text } from './fields.ts';

export const search = tool(
  'gitlab_search',
  'Search GitLab by page: projects, issues, merge requests, users, and inside a project also code and commits',
  () => ({
    scope: text.describe('Such as projects, issues, merge_requests, users, blobs or commits'),
    search: text,
    projectId: projectId
      .optional()
      .describe('Only in this project: numeric id, or full path such as group/project'),
    ...paging(10),
  }),
  async (args, { upstream }) =>
    send(upstream, args.projectId === undefined ? 'GET /search' : 'GET /projects/{projectId}/search', args),
);
