// Implements read_result: reads a truncated result page by page. decision: 016, 073
import * as z from 'zod';
import { type MetaTool, tool } from '../../kit/integration.ts';
import type { MetaNeeds } from './context.ts';

export function readResult({ results }: Pick<MetaNeeds, 'results'>): MetaTool {
  return tool(
    'read_result',
    'Read a result that was cut. path is a JSON Pointer into the whole result (for example /results/0/result); offset and limit page through arrays, objects and long strings. Answers {value, total?, nextOffset?}: call again with offset = nextOffset for the next page.',
    () => ({
      handle: z.string().describe('From the notice at the end of the cut result'),
      path: z.string().default('').describe('JSON Pointer; empty for the whole result'),
      offset: z.int().min(0).default(0).describe('First item, member or character'),
      limit: z.int().positive().optional().describe('At most this many items, members or characters'),
    }),
    async ({ handle, path, offset, limit }, caller) => {
      const page = await results.page(caller, handle, { path, offset, limit });
      return page ?? { error: 'Unknown handle' };
    },
  );
}
