// The spelling of Todoist's API, the arguments that many of its tools share, and what results show.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case', lists: 'comma' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const clearable = text.nullable().optional();

export const TASK = 'Task id, from todoist_list_tasks or the end of its address';
export const PROJECT = 'Project id, from todoist_list_projects';
export const SECTION = 'Section id, from todoist_list_sections';
export const page = () => ({
  limit: z.int().min(1).max(200).default(50).describe('Results per page'),
  cursor: some.describe('next_cursor of the previous page'),
});

/** Shows these members of a result, or of each result of a page. */
export const show = (members: readonly string[]) =>
  function pick(payload: unknown): unknown {
    if (typeof payload !== 'object' || payload === null) return payload;
    const shown = Object.entries(payload).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'results' || name === 'items')
        return [['results', Array.isArray(value) ? value.map(pick) : value]];
      return name === 'next_cursor' || members.includes(name) ? [[name, value]] : [];
    });
    return Object.fromEntries(shown);
  };
