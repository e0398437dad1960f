// Tasks: lists, search, reads and changes.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import {
  DAY_OR_TIME,
  flag,
  LIST,
  moment,
  PEOPLE,
  row,
  send,
  some,
  TASK,
  text,
  tidy,
  time,
  TIME,
  toMilliseconds,
  userIds,
  WORKSPACE,
} from './api.ts';

const task = { taskId: text.describe(TASK) };
const texts = z.array(text);
const page = () =>
  z
    .int()
    .min(0)
    .default(0)
    .describe('Page of a hundred tasks, from 0; last_page says whether it is the last');
const priority = () => z.int().min(1).max(4).optional().describe('1 urgent, 2 high, 3 normal, 4 low');
const filters = () => ({
  statuses: texts.optional().describe('Only these statuses, by name, from clickup_get_list'),
  assignees: userIds.optional().describe(`Only tasks of these people: ${PEOPLE}`),
  tags: texts.optional().describe('Only tasks with one of these tags, by name'),
  includeClosed: flag.describe('true for closed tasks too'),
  subtasks: flag.describe('true for subtasks too'),
  dueDateGt: time.optional().describe(`${TIME}: only tasks due after it`),
  dueDateLt: time.optional().describe(`${TIME}: only tasks due before it`),
  dateUpdatedGt: time.optional().describe(`${TIME}: only tasks changed after it`),
  orderBy: z
    .enum(['id', 'created', 'updated', 'due_date'])
    .optional()
    .describe('Order, created by default; newest first'),
  reverse: flag.describe('true turns the order round'),
  page: page(),
});

const Tasks = z.lazy(() => z.looseObject({ tasks: z.array(z.record(text, z.unknown())) }));
const LINE = new Set(
  'id custom_id name status priority assignees due_date start_date date_updated date_closed tags parent list folder space url points time_estimate'.split(
    ' ',
  ),
);

/** A page of tasks would have megabytes, most of them custom fields without a value. */
function showLines(payload: unknown): unknown {
  const found = Tasks.safeParse(payload).data;
  if (found === undefined) return payload;
  const tasks = found.tasks.map((each) =>
    Object.fromEntries(Object.entries(each).filter(([name]) => LINE.has(name))),
  );
  return tidy({ ...found, tasks });
}

const Task = z.lazy(() => z.looseObject({ custom_fields: z.array(z.looseObject({})).optional() }));

/** Custom fields without a value say nothing, and their options are in clickup_list_custom_fields. */
function showTask(payload: unknown): unknown {
  const found = Task.safeParse(payload).data;
  if (found === undefined) return payload;
  const fields = found.custom_fields
    ?.filter(({ value }) => value !== undefined && value !== null)
    .map(({ id, name, type, value }) => ({ id, name, type, value }));
  return tidy({ ...found, custom_fields: fields });
}

const written = () => ({
  markdownContent: some.describe('Description in Markdown'),
  status: some.describe('Status by name, from clickup_get_list'),
  priority: priority(),
  dueDate: moment.optional().describe(DAY_OR_TIME),
  startDate: moment.optional().describe(DAY_OR_TIME),
  timeEstimate: z.int().optional().describe('Estimate in milliseconds'),
  points: z.number().optional().describe('Sprint points'),
  parent: some.describe(`${TASK}; makes a subtask of it`),
});

interface Dates extends Record<string, unknown> {
  dueDate?: string | undefined;
  startDate?: string | undefined;
}

/** Without the second member ClickUp drops the time of the day. */
function withDates({ dueDate, startDate, ...args }: Dates): Record<string, unknown> {
  const of = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: toMilliseconds(value), [`${name}Time`]: value.includes('T') };
  return { ...args, ...of('dueDate', dueDate), ...of('startDate', startDate) };
}

export const tasks: readonly Tool[] = [
  row(
    'clickup_list_tasks',
    'GET /v2/list/{listId}/task',
    'List the tasks of a list, open ones unless asked otherwise',
    () => ({ listId: text.describe(LIST), ...filters() }),
    { result: showLines },
  ),
  row(
    'clickup_search_tasks',
    'GET /v2/team/{workspaceId}/task',
    'List tasks of a whole workspace by assignee, status, tag, date, space or list',
    () => ({
      workspaceId: text.describe(WORKSPACE),
      spaceIds: texts.optional().describe('Only in these spaces, by id from clickup_list_spaces'),
      folderIds: texts.optional().describe('Only in these folders, by id from clickup_list_lists'),
      listIds: texts.optional().describe('Only in these lists, by id from clickup_list_lists'),
      ...filters(),
    }),
    // ClickUp called folders projects.
    { names: { folderIds: 'project_ids' }, result: showLines },
  ),
  row(
    'clickup_get_task',
    'GET /v2/task/{taskId}',
    'Get a task with its description as Markdown, subtasks, checklists, files and custom fields',
    () => task,
    { always: { include_markdown_description: 'true', include_subtasks: 'true' }, result: showTask },
  ),
  tool(
    'clickup_create_task',
    'Create a task or a subtask in a list',
    () => ({
      listId: text.describe(LIST),
      name: text.min(1).describe('Title of the task'),
      ...written(),
      assignees: userIds.optional().describe(PEOPLE),
      tags: texts.optional().describe('Tags by name'),
      customFields: z
        .array(z.strictObject({ id: text.describe('Field id'), value: z.unknown().describe('New value') }))
        .optional()
        .describe('Values such as [{"id":"b8a…","value":5}], with ids from clickup_list_custom_fields'),
    }),
    async (args, { upstream }) =>
      showTask(await send(upstream, 'POST /v2/list/{listId}/task', withDates(args))),
    'write',
  ),
  tool(
    'clickup_update_task',
    'Change a task: arguments replace the current values; assignees are added and removed',
    () => ({
      ...task,
      name: some.describe('New title'),
      ...written(),
      addAssignees: userIds.optional().describe(PEOPLE),
      removeAssignees: userIds.optional().describe(PEOPLE),
      archived: flag.describe('true archives the task, false restores it'),
    }),
    async ({ addAssignees: add, removeAssignees: rem, ...args }, { upstream }) => {
      const assignees = add === undefined && rem === undefined ? {} : { assignees: { add, rem } };
      return showTask(await send(upstream, 'PUT /v2/task/{taskId}', { ...withDates(args), ...assignees }));
    },
    'write',
  ),
  row('clickup_delete_task', 'DELETE /v2/task/{taskId}', 'Delete a task with its subtasks', () => task),
  row(
    'clickup_set_custom_field',
    'POST /v2/task/{taskId}/field/{fieldId}',
    'Set a custom field of a task',
    () => ({
      ...task,
      fieldId: text.describe('Field id, from clickup_list_custom_fields'),
      value: z
        .unknown()
        .describe('New value: text, number, the id of an option, a list of ids, or milliseconds for a date'),
    }),
  ),
];
