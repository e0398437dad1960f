// The person, their projects, releases and to-dos.
import * as z from 'zod';
import { flag, groupId, inProject, orderBy, paging, project, row, some, sort, text } from './fields.ts';

const visibility = some.describe('private, internal or public');

export const projects = [
  row('gitlab_whoami', 'GET /user', 'Get the GitLab user of the connection', () => ({})),
  row(
    'gitlab_list_projects',
    'GET /projects',
    'List projects, by default those that you are a member of',
    () => ({
      search: inProject,
      membership: z.boolean().default(true).describe('false lists every project that you can see'),
      owned: flag.describe('true lists only projects that you own'),
      visibility,
      orderBy: orderBy('created_at (default), last_activity_at, updated_at, id, name, path or star_count'),
      sort,
      simple: z.boolean().default(true).describe('true returns only basic fields: id, name, path, URL…'),
      ...paging(20),
    }),
  ),
  row(
    'gitlab_get_project',
    'GET /projects/{projectId}',
    'Get a project with its default branch and settings',
    () => ({
      ...project,
      statistics: flag.describe('true adds storage sizes and the number of commits'),
    }),
  ),
  row('gitlab_list_group_projects', 'GET /groups/{groupId}/projects', 'List the projects of a group', () => ({
    groupId,
    search: inProject,
    includeSubgroups: flag.describe('true adds the projects of subgroups'),
    ...paging(20),
  })),
  row(
    'gitlab_create_project',
    'POST /projects',
    'Create a project, in your own namespace or in a group',
    () => ({
      name: text.describe('Display name, e.g. My Project'),
      path: some.describe('Last part of its URL, e.g. my-project; made from the name if left out'),
      namespaceId: z
        .int()
        .optional()
        .describe('`namespace.id` of a project in that group; yours if left out'),
      description: some.describe('What the project is for, in a sentence or two'),
      visibility,
      initializeWithReadme: flag.describe('true adds a README as the first commit'),
    }),
  ),
  row(
    'gitlab_fork_project',
    'POST /projects/{projectId}/fork',
    'Fork a project, into your own namespace or a group',
    () => ({
      ...project,
      namespacePath: some.describe(
        'Where the fork goes, e.g. group/subgroup; your own namespace if left out',
      ),
      name: some.describe('Display name of the fork; that of the project if left out'),
      path: some.describe('Last part of its URL; that of the project if left out'),
    }),
  ),
  row(
    'gitlab_list_releases',
    'GET /projects/{projectId}/releases',
    'List the releases of a project, newest first',
    () => ({
      ...project,
      ...paging(10),
    }),
  ),
  row('gitlab_list_todos', 'GET /todos', 'List your to-do items, pending ones by default', () => ({
    state: some.describe('pending or done'),
    type: some.describe('Only about this kind of item, e.g. Issue or MergeRequest'),
    ...paging(20),
  })),
];
