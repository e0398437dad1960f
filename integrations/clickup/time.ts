// Tracked time.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { flag, row, some, TASK, text, tidy, time, TIME, WORKSPACE } from './api.ts';

const result = tidy;
const AT = '/v2/team/{workspaceId}/time_entries';
const workspace = { workspaceId: text.describe(WORKSPACE) };
const about = () => ({
  taskId: some.describe(TASK),
  description: some.describe('What was done'),
  billable: flag.describe('true if the time is billable'),
});
const names = { taskId: 'tid' } as const;

export const timeEntries: readonly Tool[] = [
  row(
    'clickup_list_time_entries',
    `GET ${AT}`,
    'List tracked time of the person or of others, the last 30 days by default',
    () => ({
      ...workspace,
      startDate: time.optional().describe(`${TIME}: only entries after it`),
      endDate: time.optional().describe(`${TIME}: only entries before it`),
      assignee: some.describe('User ids separated by commas; only owners and admins see others'),
      taskId: some.describe(TASK),
    }),
    { result },
  ),
  row(
    'clickup_create_time_entry',
    `POST ${AT}`,
    'Record time that was spent, on a task or without one',
    () => ({
      ...workspace,
      start: time.describe(TIME),
      duration: z.int().min(1).describe('How long, in milliseconds'),
      ...about(),
    }),
    { names, result },
  ),
  row(
    'clickup_start_timer',
    `POST ${AT}/start`,
    'Start the timer of the person',
    () => ({ ...workspace, ...about() }),
    {
      names,
      result,
    },
  ),
  row('clickup_stop_timer', `POST ${AT}/stop`, 'Stop the running timer of the person', () => workspace, {
    result,
  }),
];
