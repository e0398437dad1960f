// The person, their projects, releases and to-dos.
import * as z from 'zod';
import { flag, groupId, paging, project, row, some, text } from './fields.ts';

const visibility = some.describe('private, internal or public');

export const projects = [
  row('gitlab_whoami', 'GET /user', 'Get the GitLab user of the connection', () => ({})),
  row(
    'gitlab_list_projects',
    'GET /projects',
    'List projects by page, those of your memberships by default',
    () => ({
      search: some,
      membership: z.boolean().default(true),
      owned: flag,
      visibility,
      orderBy: some,
      sort: some,
      simple: z.boolean().default(true),
      ...paging(20),
    }),
  ),
  row('gitlab_get_project', 'GET /projects/{projectId}', 'Get one project', () => ({
    ...project,
    statistics: flag,
  })),
  row(
    'gitlab_list_group_projects',
    'GET /groups/{groupId}/projects',
    'List the projects of a group by page',
    () => ({
      groupId,
      search: some,
      includeSubgroups: flag,
      ...paging(20),
    }),
  ),
  row('gitlab_create_project', 'POST /projects', 'Create a project', () => ({
    name: text,
    path: some,
    namespaceId: z.int().optional(),
    description: some,
    visibility,
    initializeWithReadme: flag,
  })),
  row('gitlab_fork_project', 'POST /projects/{projectId}/fork', 'Fork a project into a namespace', () => ({
    ...project,
    namespacePath: some,
    name: some,
    path: some,
  })),
  row(
    'gitlab_list_releases',
    'GET /projects/{projectId}/releases',
    'List the releases of a project by page',
    () => ({
      ...project,
      ...paging(10),
    }),
  ),
  row('gitlab_list_todos', 'GET /todos', 'List your to-do items by page, pending ones by default', () => ({
    state: some.describe('pending or done'),
    type: some.describe('Such as Issue or MergeRequest'),
    ...paging(20),
  })),
];
