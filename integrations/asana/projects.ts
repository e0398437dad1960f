// People, projects and their sections.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { body, DAY, flag, members, notes, page, PERSON, PROJECT, row, some, text, WORKSPACE } from './api.ts';
import { withMarkdown } from './markdown.ts';

const PROJECT_ALL =
  'name,html_notes,archived,completed,color,owner.name,team.name,due_on,start_on,current_status_update.title,current_status_update.status_type,members.name,custom_field_settings.custom_field.name,custom_field_settings.custom_field.type,custom_field_settings.custom_field.enum_options.name,permalink_url';
const KINDS = ['project', 'task', 'user', 'tag', 'team', 'custom_field', 'portfolio', 'goal'] as const;

export const projects: readonly Tool[] = [
  row('asana_whoami', 'GET /users/me', 'Show who is connected, and to which workspaces', () => ({}), {
    always: members('name,email,workspaces.name'),
  }),
  row(
    'asana_list_users',
    'GET /users',
    'List the people of a workspace',
    () => ({ workspace: text.describe(WORKSPACE), ...page() }),
    { always: members('name,email') },
  ),
  row(
    'asana_find',
    'GET /workspaces/{workspaceGid}/typeahead',
    'Find projects, tasks, people, tags, teams or custom fields by the beginning of their name',
    () => ({
      workspaceGid: text.describe(WORKSPACE),
      resourceType: z.enum(KINDS).describe('What to find'),
      query: text.describe('First letters of the name; an empty text for those used lately'),
      count: z.int().min(1).max(100).default(20).describe('Number of results'),
    }),
    { always: members('name') },
  ),
  row(
    'asana_list_projects',
    'GET /projects',
    'List the projects of a workspace',
    () => ({
      workspace: text.describe(WORKSPACE),
      archived: flag.describe('true for archived projects only, false for the others; all without it'),
      ...page(),
    }),
    { always: members('name,archived,owner.name,team.name,due_on,permalink_url') },
  ),
  row(
    'asana_get_project',
    'GET /projects/{projectGid}',
    'Get a project with its description as Markdown, its members, last status and custom fields',
    () => ({ projectGid: text.describe(PROJECT) }),
    { always: members(PROJECT_ALL), result: withMarkdown },
  ),
  row(
    'asana_create_project',
    'POST /projects',
    'Create a project',
    () => ({
      name: text.describe('Name of the project'),
      workspace: text.describe(WORKSPACE),
      team: some.describe('Team gid, from asana_find; an organization requires it'),
      notes: notes.describe('Description in Markdown'),
      owner: some.describe(PERSON),
      dueOn: some.describe(DAY),
      startOn: some.describe(`${DAY}; needs dueOn`),
      defaultView: z
        .enum(['list', 'board', 'calendar', 'timeline'])
        .optional()
        .describe('View that opens first'),
    }),
    { ...body(PROJECT_ALL), names: { notes: 'html_notes' }, result: withMarkdown },
  ),
  row(
    'asana_list_sections',
    'GET /projects/{projectGid}/sections',
    'List the sections of a project, which are the columns of its board',
    () => ({ projectGid: text.describe(PROJECT), ...page() }),
    { always: members('name') },
  ),
  row(
    'asana_create_section',
    'POST /projects/{projectGid}/sections',
    'Add a section to a project, at its end',
    () => ({
      projectGid: text.describe(PROJECT),
      name: text.describe('Name of the section'),
    }),
    { wrap: 'data' },
  ),
];
