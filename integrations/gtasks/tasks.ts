// Tasks. The API keeps only the day of a due date.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { flag, pageToken, row, send, some, text } from '../google/oauth.ts';

const TASKS = '/lists/{tasklist}/tasks';
const tasklist = text
  .default('@default')
  .describe('List id, from gtasks_list_lists; @default is the main list of the person');
const task = text.describe('Task id, from gtasks_list_tasks');
const notes = some.describe('Description of the task, at most 8192 characters');
const DUE = 'Day it is due, such as 2026-03-01';
const due = () => z.iso.date().transform(startOf).optional();
const day = () => z.iso.date().transform(startOf).optional();
const place = () => ({
  parent: some.describe('Id of the task above it, for a subtask; the top of the list by default'),
  previous: some.describe('Id of the task before it; the first place by default'),
});

/** Google takes moments, and ignores their time. */
function startOf(date: string): string {
  return `${date}T00:00:00.000Z`;
}

export const tasks: readonly Tool[] = [
  row('gtasks_list_tasks', `GET ${TASKS}`, 'List the tasks of a list', () => ({
    tasklist,
    showCompleted: z.boolean().default(false).describe('true lists completed tasks too'),
    showHidden: z
      .boolean()
      .default(false)
      .describe('true lists tasks that were completed in Google’s own apps too; needs showCompleted'),
    dueMin: day().describe('Only tasks due on this day or later, such as 2026-03-01'),
    dueMax: day().describe('Only tasks due before this day, such as 2026-03-08'),
    completedMin: day().describe('Only tasks completed on this day or later, such as 2026-03-01'),
    completedMax: day().describe('Only tasks completed before this day, such as 2026-03-08'),
    updatedMin: some.describe('Only tasks changed after this time, such as 2026-03-01T09:00:00Z'),
    showAssigned: flag.describe('true lists tasks assigned in documents and chats too'),
    maxResults: z.int().default(50).describe('Tasks per page, at most 100'),
    pageToken,
  })),
  row('gtasks_get_task', `GET ${TASKS}/{task}`, 'Get one task', () => ({ tasklist, task })),
  row(
    'gtasks_create_task',
    `POST ${TASKS}`,
    'Create a task, or a subtask of another task',
    () => ({
      tasklist,
      title: text.describe('What to do, at most 1024 characters'),
      notes,
      due: due().describe(DUE),
      ...place(),
    }),
    { query: ['parent', 'previous'] },
  ),
  row(
    'gtasks_update_task',
    `PATCH ${TASKS}/{task}`,
    'Change the title, the notes or the due day of a task; arguments left out stay as they are',
    () => ({
      tasklist,
      task,
      title: some.describe('New title'),
      notes,
      due: z
        .union([z.iso.date().transform(startOf), z.null()])
        .optional()
        .describe(`${DUE}; null for none`),
    }),
  ),
  tool(
    'gtasks_complete_task',
    'Mark a task as done, or as open again',
    () => ({
      tasklist,
      task,
      done: z.boolean().default(true).describe('false opens the task again'),
    }),
    ({ done, ...args }, { upstream }) => {
      const status = done ? { status: 'completed' } : { status: 'needsAction', completed: null };
      return send(upstream, `PATCH ${TASKS}/{task}`, { ...args, ...status });
    },
    'write',
  ),
  row(
    'gtasks_move_task',
    `POST ${TASKS}/{task}/move`,
    'Move a task to another place in its list, below another task, or to another list',
    () => ({
      tasklist,
      task,
      ...place(),
      destinationTasklist: some.describe('Id of the list to move it to, from gtasks_list_lists'),
    }),
    { query: ['parent', 'previous', 'destinationTasklist'] },
  ),
  row('gtasks_delete_task', `DELETE ${TASKS}/{task}`, 'Delete a task', () => ({
    tasklist,
    task,
  })),
  row('gtasks_clear_completed', 'POST /lists/{tasklist}/clear', 'Hide all completed tasks of a list', () => ({
    tasklist,
  })),
];
