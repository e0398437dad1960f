// Tasks: lists, filters, reads and changes.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { clearable, flag, page, PROJECT, row, SECTION, show, some, TASK, text } from './api.ts';

const AT = '/tasks/{taskId}';
const task = { taskId: text.describe(TASK) };
const result = show([
  'id',
  'content',
  'description',
  'project_id',
  'section_id',
  'parent_id',
  'labels',
  'priority',
  'due',
  'deadline',
  'duration',
  'responsible_uid',
  'checked',
  'added_at',
  'completed_at',
  'note_count',
]);
const shown = { result };
const content = 'Title of the task, in Markdown';
const about = () => ({
  description: some.describe('Longer text, in Markdown'),
  labels: z.array(text).optional().describe('All labels of the task, by name; a new name makes a label'),
  priority: z
    .int()
    .min(1)
    .max(4)
    .optional()
    .describe('4 urgent (p1 in the apps), 3 high, 2 medium, 1 normal'),
  dueDate: some.describe('Day such as 2026-03-31, instead of dueString'),
  dueDatetime: some.describe('Time such as 2026-03-31T15:00:00Z, instead of dueString'),
  dueLang: some.describe('Language of dueString, such as de; English by default'),
  duration: z.int().min(1).optional().describe('How long it takes, in durationUnit'),
  durationUnit: z.enum(['minute', 'day']).optional().describe('Unit of duration, which needs it'),
});

export const tasks: readonly Tool[] = [
  row(
    'todoist_list_tasks',
    'GET /tasks',
    'List open tasks, all or those of a project, section, task or label',
    () => ({
      projectId: some.describe(PROJECT),
      sectionId: some.describe(SECTION),
      parentId: some.describe(`${TASK}; lists its subtasks`),
      label: some.describe('Name of a label, from todoist_list_labels'),
      ...page(),
    }),
    shown,
  ),
  row(
    'todoist_filter_tasks',
    'GET /tasks/filter',
    'List open tasks that match a filter of Todoist',
    () => ({
      query: text
        .min(1)
        .describe(
          'Filter, such as (today | overdue) & #Work & @phone, search: invoice, p1 & no date, assigned to: me',
        ),
      lang: some.describe('Language of the dates in it, such as de; English by default'),
      ...page(),
    }),
    shown,
  ),
  row(
    'todoist_list_completed_tasks',
    'GET /tasks/completed/by_completion_date',
    'List tasks that were completed in a time of at most three months',
    () => ({
      since: text.describe('Begin, such as 2026-03-01T00:00:00Z'),
      until: text.describe('End, such as 2026-04-01T00:00:00Z'),
      projectId: some.describe(PROJECT),
      filterQuery: some.describe('Filter, such as @phone & #Work'),
      ...page(),
    }),
    shown,
  ),
  row('todoist_get_task', `GET ${AT}`, 'Get a task with its description and dates', () => task, shown),
  row(
    'todoist_create_task',
    'POST /tasks',
    'Create a task or a subtask',
    () => ({
      content: text.min(1).describe(content),
      projectId: some.describe(`${PROJECT}; the inbox without it`),
      sectionId: some.describe(SECTION),
      parentId: some.describe(`${TASK}; makes a subtask of it`),
      dueString: some.describe('When it is due, in words, such as tomorrow at 9am or every friday'),
      deadlineDate: some.describe('Last day for it, such as 2026-04-30'),
      assigneeId: some.describe('User id in a shared project, from todoist_list_collaborators'),
      ...about(),
    }),
    shown,
  ),
  row(
    'todoist_quick_add_task',
    'POST /tasks/quick',
    'Create a task from one line as in the apps, with dates, #project, @label, p1 and +person in it',
    () => ({
      text: text.min(1).describe('Line such as Call Bo tomorrow 4pm #Work @phone p2'),
      note: some.describe('Comment to add to the task, in Markdown'),
      reminder: some.describe('When to remind, in words; needs a paid plan'),
      autoReminder: flag.describe('true reminds at the default time before a due time'),
    }),
    shown,
  ),
  row(
    'todoist_update_task',
    `POST ${AT}`,
    'Change a task: arguments replace the current values',
    () => ({
      ...task,
      content: some.describe(content),
      dueString: some.describe('When it is due, in words, such as monday at 9am; "no date" clears it'),
      deadlineDate: clearable.describe('Last day for it, such as 2026-04-30; null clears it'),
      assigneeId: clearable.describe('User id, from todoist_list_collaborators; null clears it'),
      ...about(),
    }),
    shown,
  ),
  row(
    'todoist_move_task',
    `POST ${AT}/move`,
    'Move a task to a project, a section or below another task: give exactly one',
    () => ({
      ...task,
      projectId: some.describe(PROJECT),
      sectionId: some.describe(SECTION),
      parentId: some.describe(`${TASK}; makes a subtask of it`),
    }),
    shown,
  ),
  row(
    'todoist_complete_task',
    `POST ${AT}/close`,
    'Complete a task with its subtasks; a recurring task moves to its next date',
    () => task,
  ),
  row('todoist_reopen_task', `POST ${AT}/reopen`, 'Open a completed task again', () => task),
  row('todoist_delete_task', `DELETE ${AT}`, 'Delete a task with its subtasks for ever', () => task),
];
