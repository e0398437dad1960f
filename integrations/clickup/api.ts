// The spelling of ClickUp's API, the arguments that many of its tools share, and times: ClickUp counts milliseconds.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case', lists: 'brackets' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const userIds = z.array(z.int());

export const WORKSPACE = 'Workspace id, from clickup_list_workspaces';
export const SPACE = 'Space id, from clickup_list_spaces';
export const LIST = 'List id, from clickup_list_lists';
export const TASK = 'Task id such as 86abc123, from clickup_list_tasks or the end of its address';
export const PEOPLE = 'User ids, from clickup_list_workspaces';
export const TIME = 'Time such as 2026-03-31T15:00:00Z';
export const DAY_OR_TIME = 'Day such as 2026-03-31, or a time such as 2026-03-31T15:00:00Z';

const isTime = (value: string) => /^\d{4}-\d\d-\d\d(T|$)/.test(value) && !Number.isNaN(Date.parse(value));

/** A day becomes its noon, which is the same day almost everywhere. */
export const toMilliseconds = (value: string): number =>
  Date.parse(value.includes('T') ? value : `${value}T12:00:00Z`);

/** A day or a time in the usual spelling. */
export const moment = text.refine(isTime, 'is neither a day nor a time, such as 2026-03-31T15:00:00Z');
export const time = moment.transform(toMilliseconds);

const TIMES = /^(date_\w+|date|due_date|start_date|start|end|at)$/;
const DROPPED =
  /^(color|avatar|profilePicture|initials|orderindex|tag_fg|tag_bg|comment|permission_level|sharing|watchers|creator_color)$/;

/** Shows milliseconds as times, and leaves out what only draws the pages of ClickUp. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (DROPPED.test(name) || inner === null) return [];
    const isNumber = typeof inner === 'number' || (typeof inner === 'string' && /^\d{12,13}$/.test(inner));
    if (TIMES.test(name) && isNumber) return [[name, new Date(Number(inner)).toISOString()]];
    return [[name, tidy(inner)]];
  });
  return Object.fromEntries(shown);
}
