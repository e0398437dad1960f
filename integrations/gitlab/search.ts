// Search everywhere, or in one project.
import { tool } from '../../src/kit/integration.ts';
import { paging, projectId, send, text } from './fields.ts';

export const search = tool(
  'gitlab_search',
  'Search GitLab for projects, issues, merge requests and users, and inside a project also for code and commits',
  () => ({
    scope: text.describe(
      'projects, issues, merge_requests, milestones or users; with projectId also blobs (code), commits, notes or wiki_blobs',
    ),
    search: text.describe('Words to find'),
    projectId: projectId
      .optional()
      .describe('Only in this project: id or full path, e.g. 42 or group/project'),
    ...paging(10),
  }),
  async (args, { upstream }) =>
    send(upstream, args.projectId === undefined ? 'GET /search' : 'GET /projects/{projectId}/search', args),
);
