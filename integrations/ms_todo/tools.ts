// The tools of Microsoft To Do: lists, tasks and their steps.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import {
  flag,
  type Item,
  object,
  page,
  pageSize,
  readPage,
  row,
  send,
  some,
  text,
} from '../microsoft/graph.ts';
import { readBody, toBody } from '../microsoft/html.ts';
import { local, RECURRENCE, timeZone, toMoment } from '../microsoft/moments.ts';

const LISTS = '/me/todo/lists';
const TASKS = `${LISTS}/{listId}/tasks`;
const STEPS = `${TASKS}/{taskId}/checklistItems`;

const listId = text.describe('List id, from ms_todo_list_lists');
const taskId = text.describe('Task id, from ms_todo_list_tasks');
const STATUS = ['notStarted', 'inProgress', 'completed', 'waitingOnOthers', 'deferred'] as const;

const details = () => ({
  body: some.describe('Notes on the task, in Markdown'),
  due: local.optional().describe('Day on which it is due, such as 2026-03-01'),
  start: local.optional().describe('Day on which it starts, such as 2026-02-27'),
  reminder: local.optional().describe('When to remind, such as 2026-03-01T09:00:00 in timeZone'),
  timeZone: timeZone(),
  importance: z.enum(['low', 'normal', 'high']).optional().describe('high marks it with a star'),
  status: z.enum(STATUS).optional().describe('How far it is'),
  categories: z.array(text).optional().describe('Categories of the task'),
  recurrence: object.optional().describe(RECURRENCE),
});

type Details = { [Name in keyof ReturnType<typeof details>]: z.output<ReturnType<typeof details>[Name]> };

const toTask = <Rest extends object>({
  body,
  due,
  start,
  reminder,
  timeZone: zone,
  ...rest
}: Partial<Details> & { timeZone: string } & Rest) => ({
  ...rest,
  body: body === undefined ? undefined : toBody(body),
  dueDateTime: due === undefined ? undefined : toMoment(due, zone),
  startDateTime: start === undefined ? undefined : toMoment(start, zone),
  ...(reminder === undefined ? {} : { isReminderOn: true, reminderDateTime: toMoment(reminder, zone) }),
});

const Task = z.lazy(() => z.looseObject({ body: z.object({ contentType: text, content: text }).nullish() }));

function showTask(payload: unknown): Item {
  const { body, ...rest } = Task.parse(payload);
  const given = Object.entries(rest).filter(([name, value]) => value !== null && !name.startsWith('@odata'));
  const notes = readBody(body);
  return { ...Object.fromEntries(given), ...(notes === '' ? {} : { text: notes }) };
}

const DONE = { result: showTask };

export const tools: readonly Tool[] = [
  tool(
    'ms_todo_list_lists',
    'List the to-do lists of the person with their ids',
    () => ({ pageSize: pageSize(100), page }),
    ({ pageSize: $top, page: cursor }, { upstream }) =>
      readPage(upstream, `GET ${LISTS}`, { query: { $top }, page: cursor }),
  ),
  row('ms_todo_create_list', `POST ${LISTS}`, 'Create a to-do list', () => ({
    displayName: text.describe('Name of the list'),
  })),
  row('ms_todo_rename_list', `PATCH ${LISTS}/{listId}`, 'Rename a to-do list', () => ({
    listId,
    displayName: text.describe('New name of the list'),
  })),
  row('ms_todo_delete_list', `DELETE ${LISTS}/{listId}`, 'Delete a to-do list with all its tasks', () => ({
    listId,
  })),
  tool(
    'ms_todo_list_tasks',
    'List the tasks of a list that are not completed, or those of one status',
    () => ({
      listId,
      status: z
        .enum([...STATUS, 'open', 'all'])
        .default('open')
        .describe('Which tasks; open leaves out completed ones'),
      pageSize: pageSize(100),
      page,
    }),
    ({ listId: id, status, pageSize: $top, page: cursor }, { upstream }) => {
      const $filter =
        status === 'all' ? undefined : status === 'open' ? "status ne 'completed'" : `status eq '${status}'`;
      const options = { place: { listId: id }, query: { $filter, $top }, page: cursor, show: showTask };
      return readPage(upstream, `GET ${TASKS}`, options);
    },
  ),
  tool(
    'ms_todo_get_task',
    'Get a task with its notes, steps and links',
    () => ({ listId, taskId }),
    async (ids, { upstream }) =>
      showTask(
        await send(upstream, `GET ${TASKS}/{taskId}`, { ...ids, $expand: 'checklistItems,linkedResources' }),
      ),
  ),
  tool(
    'ms_todo_create_task',
    'Add a task to a list',
    () => ({ listId, title: text.describe('What to do'), ...details() }),
    async (args, { upstream }) => showTask(await send(upstream, `POST ${TASKS}`, toTask(args))),
    'write',
  ),
  tool(
    'ms_todo_update_task',
    'Change a task; arguments left out stay as they are',
    () => ({ listId, taskId, title: some.describe('What to do'), ...details() }),
    async (args, { upstream }) => showTask(await send(upstream, `PATCH ${TASKS}/{taskId}`, toTask(args))),
    'write',
  ),
  tool(
    'ms_todo_complete_task',
    'Mark a task as completed',
    () => ({ listId, taskId }),
    async (ids, { upstream }) =>
      showTask(await send(upstream, `PATCH ${TASKS}/{taskId}`, { ...ids, status: 'completed' })),
    'write',
  ),
  row('ms_todo_delete_task', `DELETE ${TASKS}/{taskId}`, 'Delete a task', () => ({ listId, taskId })),
  tool(
    'ms_todo_list_steps',
    'List the steps of a task',
    () => ({ listId, taskId, page }),
    ({ page: cursor, ...place }, { upstream }) => readPage(upstream, `GET ${STEPS}`, { place, page: cursor }),
  ),
  row(
    'ms_todo_add_step',
    `POST ${STEPS}`,
    'Add a step to a task',
    () => ({
      listId,
      taskId,
      displayName: text.describe('What to do in this step'),
      isChecked: flag.describe('true when the step is done already'),
    }),
    DONE,
  ),
  row(
    'ms_todo_update_step',
    `PATCH ${STEPS}/{stepId}`,
    'Tick or rename a step of a task',
    () => ({
      listId,
      taskId,
      stepId: text.describe('Step id, from ms_todo_list_steps'),
      displayName: some.describe('What to do in this step'),
      isChecked: flag.describe('true ticks the step, false opens it again'),
    }),
    DONE,
  ),
  row('ms_todo_delete_step', `DELETE ${STEPS}/{stepId}`, 'Delete a step of a task', () => ({
    listId,
    taskId,
    stepId: text.describe('Step id, from ms_todo_list_steps'),
  })),
  row(
    'ms_todo_add_reference',
    `POST ${TASKS}/{taskId}/linkedResources`,
    'Attach the address of an item elsewhere to a task',
    () => ({
      listId,
      taskId,
      webUrl: text.describe('Address, such as https://example.com/ticket/42'),
      displayName: text.describe('Title of the item'),
      applicationName: text.describe('Name of the application it leads to, such as Jira'),
      externalId: some.describe('Id of the item there'),
    }),
    DONE,
  ),
];
