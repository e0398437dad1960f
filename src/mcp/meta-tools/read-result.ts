// Implements read_result: reads a truncated result page by page. decision: 032
import * as z from 'zod';
import { type MetaTool, tool } from '../../kit/integration.ts';
import type { MetaNeeds } from './context.ts';

export function readResult({ results }: Pick<MetaNeeds, 'results'>): MetaTool {
  return tool(
    'read_result',
    'Read the rest of a result that was cut. Pass the handle, path and offset that the notice or "more" gives. Answers {value, total?, nextOffset?}: call again with offset = nextOffset for the next page. Answers path too, if the value there is deeper than asked.',
    () => ({
      handle: z.string().describe('From the notice or "more" of the cut result'),
      path: z
        .string()
        .default('')
        .describe('JSON Pointer into the whole result, e.g. /results/0/result; empty for all of it'),
      offset: z.int().min(0).default(0).describe('The first item, member or character to return, from 0'),
      limit: z.int().positive().optional().describe('Return at most this many items, members or characters'),
    }),
    async ({ handle, path, offset, limit }, caller) => {
      const page = await results.page(caller, handle, { path, offset, limit });
      return page ?? { error: 'Unknown handle' };
    },
  );
}
