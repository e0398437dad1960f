// Tasks: lists, search, reads and changes.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import {
  body,
  customFields,
  DAY,
  flag,
  gids,
  members,
  notes,
  page,
  PERSON,
  PROJECT,
  row,
  SECTION,
  some,
  TASK,
  TASK_ALL,
  TASK_LINE,
  text,
  WORKSPACE,
} from './api.ts';
import { withMarkdown } from './markdown.ts';

const task = { taskGid: text.describe(TASK) };
const lines = { always: members(TASK_LINE) };
const written = { ...body(TASK_ALL), names: { notes: 'html_notes' }, result: withMarkdown };
const clearable = text.nullable().optional();
const NOTES = 'Description in Markdown';
const SUBTYPE = z.enum(['default_task', 'milestone', 'approval']).optional();

export const tasks: readonly Tool[] = [
  row(
    'asana_list_tasks',
    'GET /tasks',
    'List the tasks of a project, of a section, or of a person in a workspace',
    () => ({
      project: some.describe(`${PROJECT}; give this, section, or assignee with workspace`),
      section: some.describe(SECTION),
      assignee: some.describe(PERSON),
      workspace: some.describe(`${WORKSPACE}; only together with assignee`),
      completedSince: some.describe(
        'now for open tasks only, or a time such as 2026-03-01T00:00:00Z for open ones and those completed since',
      ),
      modifiedSince: some.describe('Only tasks changed since a time such as 2026-03-01T00:00:00Z'),
      ...page(),
    }),
    lines,
  ),
  row(
    'asana_search_tasks',
    'GET /workspaces/{workspaceGid}/tasks/search',
    'Search tasks of a workspace by words and filters; needs a paid plan of Asana. It has no pages: narrow the filters',
    () => ({
      workspaceGid: text.describe(WORKSPACE),
      text: some.describe('Words in the name or the description'),
      assigneeAny: some.describe(`Assignees, separated by commas: ${PERSON}`),
      projectsAny: some.describe('Project gids separated by commas, from asana_list_projects'),
      sectionsAny: some.describe('Section gids separated by commas, from asana_list_sections'),
      tagsAny: some.describe('Tag gids separated by commas, from asana_find'),
      completed: flag.describe('true for completed tasks only, false for open ones'),
      dueOnBefore: some.describe(`${DAY}: only tasks due before it`),
      dueOnAfter: some.describe(`${DAY}: only tasks due after it`),
      modifiedAtAfter: some.describe('Time such as 2026-03-01T00:00:00Z: only tasks changed after it'),
      isBlocked: flag.describe('true for tasks that wait for others'),
      sortBy: z
        .enum(['due_date', 'created_at', 'completed_at', 'likes', 'modified_at', 'relevance'])
        .optional()
        .describe('Order, modified_at by default'),
      sortAscending: flag.describe('true for the lowest first'),
    }),
    {
      ...lines,
      names: {
        assigneeAny: 'assignee.any',
        projectsAny: 'projects.any',
        sectionsAny: 'sections.any',
        tagsAny: 'tags.any',
        dueOnBefore: 'due_on.before',
        dueOnAfter: 'due_on.after',
        modifiedAtAfter: 'modified_at.after',
      },
    },
  ),
  row(
    'asana_get_task',
    'GET /tasks/{taskGid}',
    'Get a task with its description as Markdown, its custom fields, tags, followers and dependencies',
    () => task,
    { always: members(TASK_ALL), result: withMarkdown },
  ),
  row(
    'asana_list_subtasks',
    'GET /tasks/{taskGid}/subtasks',
    'List the subtasks of a task',
    () => ({ ...task, ...page() }),
    lines,
  ),
  row(
    'asana_create_task',
    'POST /tasks',
    'Create a task in a project or a workspace, or a subtask; it needs projects, parent or workspace',
    () => ({
      name: text.describe('Title of the task'),
      notes: notes.describe(NOTES),
      projects: gids.optional().describe('Project gids, from asana_list_projects'),
      parent: some.describe(`${TASK}; makes a subtask of it`),
      workspace: some.describe(`${WORKSPACE}; for a task without project and parent`),
      assignee: some.describe(PERSON),
      dueOn: some.describe(DAY),
      dueAt: some.describe('Time such as 2026-03-31T15:00:00Z, instead of dueOn'),
      startOn: some.describe(`${DAY}; needs dueOn or dueAt`),
      followers: gids.optional().describe('People to notify: e-mail addresses or user gids'),
      tags: gids.optional().describe('Tag gids, from asana_find'),
      resourceSubtype: SUBTYPE.describe('default_task unless it is a milestone or an approval'),
      customFields: customFields(),
    }),
    written,
  ),
  row(
    'asana_update_task',
    'PUT /tasks/{taskGid}',
    'Change a task or complete it: arguments replace the current values, null clears a value',
    () => ({
      ...task,
      name: some.describe('New title'),
      notes: notes.describe(`${NOTES}; replaces the whole description`),
      completed: flag.describe('true completes the task, false opens it again'),
      assignee: clearable.describe(PERSON),
      dueOn: clearable.describe(DAY),
      dueAt: clearable.describe('Time such as 2026-03-31T15:00:00Z, instead of dueOn'),
      startOn: clearable.describe(DAY),
      customFields: customFields(),
    }),
    written,
  ),
  row(
    'asana_delete_task',
    'DELETE /tasks/{taskGid}',
    'Delete a task; it stays in the trash for 30 days',
    () => task,
  ),
  row(
    'asana_add_task_to_project',
    'POST /tasks/{taskGid}/addProject',
    'Add a task to a project, or move it to another section or place there',
    () => ({
      ...task,
      project: text.describe(PROJECT),
      section: some.describe(`${SECTION}; the task goes to its end`),
      insertAfter: some.describe(`${TASK}; the task goes behind this one, instead of section`),
      insertBefore: some.describe(`${TASK}; the task goes before this one, instead of section`),
    }),
    { wrap: 'data' },
  ),
];
