// execute_tools: a batch through the engine, results in the order asked. spec: Execution rules
import * as z from 'zod';
import { type MetaTool, tool } from '../../kit/integration.ts';
import { isObject } from '../../json/json.ts';
import { EXECUTIONS } from '../../config/limits.ts';
import { type Item, toItem } from '../../tools/outcome.ts';
import { inPool, TOO_MUCH } from '../../tools/pool.ts';
import type { MetaNeeds } from './context.ts';

const Execution = z.strictObject({
  tool: z.string().describe('Full tool name, as search_tools gives it'),
  args: z
    .record(z.string(), z.unknown(), 'must be an object')
    .default({})
    .describe('Its arguments, as get_tool_schema describes them'),
});

export function executeTools({ registry, execute }: Pick<MetaNeeds, 'registry' | 'execute'>): MetaTool {
  const counted: MetaTool = tool(
    'execute_tools',
    'Run one or more tools, up to 8 at a time. results[i] belongs to executions[i]: {result}, or {error, integration, message?} when that one failed; the others still run.',
    () => ({ executions: z.array(Execution) }),
    async ({ executions }, caller) => {
      const results = await inPool(
        caller,
        executions,
        async (taskCaller, { tool: name, args }): Promise<Item> =>
          toItem(await execute(taskCaller, { found: registry.tool(name), tool: name, within: null, args })),
        ({ tool: name }) => ({
          error: TOO_MUCH,
          integration: registry.tool(name)?.integration.name ?? null,
        }),
      );
      return { results };
    },
    'write',
  );
  const parse = counted.parse.bind(counted);
  // Before they are looked at one by one.
  counted.parse = (args) =>
    isTooMany(args) ? { ok: false, message: `executions: at most ${EXECUTIONS} at a time` } : parse(args);
  return counted;
}

function isTooMany(args: unknown): boolean {
  const executions = isObject(args) ? args['executions'] : null;
  return Array.isArray(executions) && executions.length > EXECUTIONS;
}
