// The person, projects and their sections, labels and people.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { flag, page, PROJECT, row, show, some, text } from './api.ts';

const project = {
  result: show([
    'id',
    'name',
    'description',
    'parent_id',
    'workspace_id',
    'color',
    'is_shared',
    'is_favorite',
    'is_archived',
    'inbox_project',
    'view_style',
  ]),
};
const section = { result: show(['id', 'name', 'project_id', 'section_order', 'is_archived']) };

export const projects: readonly Tool[] = [
  // The whole answer contains the API token of the person.
  row('todoist_whoami', 'GET /user', 'Show who is connected', () => ({}), {
    result: show(['id', 'full_name', 'email', 'inbox_project_id', 'lang', 'tz_info', 'premium_status']),
  }),
  row('todoist_list_projects', 'GET /projects', 'List projects', () => page(), project),
  row(
    'todoist_create_project',
    'POST /projects',
    'Create a project',
    () => ({
      name: text.min(1).describe('Name of the project'),
      parentId: some.describe(`${PROJECT}; puts the project below it`),
      color: some.describe('Colour by its name, such as berry_red, blue or charcoal'),
      isFavorite: flag.describe('true adds it to the favorites'),
      viewStyle: z.enum(['list', 'board', 'calendar']).optional().describe('View that opens first'),
    }),
    project,
  ),
  row(
    'todoist_list_sections',
    'GET /sections',
    'List the sections of a project, or of all projects',
    () => ({ projectId: some.describe(PROJECT), ...page() }),
    section,
  ),
  row(
    'todoist_create_section',
    'POST /sections',
    'Add a section to a project',
    () => ({ name: text.min(1).describe('Name of the section'), projectId: text.describe(PROJECT) }),
    section,
  ),
  row('todoist_list_labels', 'GET /labels', 'List the labels of the person', () => page(), {
    result: show(['id', 'name', 'color', 'is_favorite']),
  }),
  row(
    'todoist_list_collaborators',
    'GET /projects/{projectId}/collaborators',
    'List the people of a shared project',
    () => ({ projectId: text.describe(PROJECT), ...page() }),
  ),
];
