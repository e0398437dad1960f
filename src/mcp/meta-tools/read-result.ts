// Implements read_result: reads a truncated result page by page. decision: 032
import * as z from 'zod';
import type { Origin } from '../../calls/results/stored-results.ts';
import { type MetaContext, type MetaTool, tool } from '../../kit/integration.ts';
import { mayHoldOutside } from '../../kit/open-world.ts';
import type { MetaNeeds } from './context.ts';

export const READ_RESULT = 'read_result';

type Needs = Pick<MetaNeeds, 'gate' | 'registries' | 'results'>;

// The same for every reason, so that it says nothing about the results of others.
const UNKNOWN = {
  error: 'Unknown handle',
  message:
    'Results are kept for one hour, for the caller that was given them. Run the tool again to have it once more',
};

export function readResult({ gate, registries, results }: Needs): MetaTool {
  /** A result is for the caller that was given it, for as long as it may use the tools that the result is from. */
  async function mayRead(caller: MetaContext, { caller: given, tools }: Origin): Promise<boolean> {
    if (given !== caller.actor.id) return false;
    const permissions = await gate.permissionsOf(caller);
    if (permissions.isOpen) return true;
    const registry = await registries.of(caller.userId);
    for (const name of permissions.afterOutside === null ? [] : tools) {
      if (mayHoldOutside(registry.tool(name))) await gate.outside.note(caller, permissions, name);
    }
    return tools.every((name) => {
      const found = registry.tool(name);
      return found === null || permissions.ofTool(found.integration, found.tool).decision !== 'block';
    });
  }

  return tool(
    READ_RESULT,
    'Read the rest of a result that was cut. Pass the handle, path and offset that the notice or "more" gives. Answers {value, total?, nextOffset?}: call again with offset = nextOffset for the next page. Answers path too, if it reads deeper.',
    () => ({
      handle: z.string().describe('From the notice or "more" of the cut result'),
      path: z
        .string()
        .default('')
        .describe('JSON Pointer into the whole result, e.g. /results/0/result; empty for all of it'),
      offset: z.int().min(0).default(0).describe('The first item, member or character to return, from 0'),
      limit: z.int().positive().optional().describe('At most so many items, members or characters'),
    }),
    async ({ handle, path, offset, limit }, caller) => {
      const reader = {
        ...caller,
        mayRead: async (origin: Origin | null) => origin === null || mayRead(caller, origin),
      };
      const page = await results.page(reader, handle, { path, offset, limit });
      return page ?? UNKNOWN;
    },
  );
}
