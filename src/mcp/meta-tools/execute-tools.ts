// Implements execute_tools: runs a batch and returns the results in the order asked. reference: Execution rules
import * as z from 'zod';
import { type MetaTool, tool } from '../../kit/integration.ts';
import { EXECUTIONS } from '../../config/limits.ts';
import { type ExecutionResult, toExecutionResult } from '../../tools/outcome.ts';
import { inPool, TOO_MUCH } from '../../tools/pool.ts';
import type { MetaNeeds } from './context.ts';

const ExecutionArguments = z.strictObject({
  tool: z.string().describe('Full tool name, as search_tools gives it'),
  args: z
    .record(z.string(), z.unknown(), 'must be an object')
    .default({})
    .describe('Its arguments, as get_tool_schema describes them'),
});

/** Counts the executions before it validates each of them, so that a batch that is far too long costs little. */
const Executions = z.preprocess((value, context) => {
  if (!Array.isArray(value) || value.length <= EXECUTIONS) return value;
  context.addIssue(`at most ${EXECUTIONS} at a time`);
  return z.NEVER;
}, z.array(ExecutionArguments));

export function executeTools({ registry, execute }: Pick<MetaNeeds, 'registry' | 'execute'>): MetaTool {
  return tool(
    'execute_tools',
    'Run one or more tools, up to 8 at a time. results[i] belongs to executions[i]: {result}, or {error, integration, message?} when that one failed; the others still run.',
    () => ({ executions: Executions }),
    async ({ executions }, caller) => {
      const results = await inPool(
        caller,
        executions,
        async (taskCaller, { tool: name, args }): Promise<ExecutionResult> =>
          toExecutionResult(await execute(taskCaller, { tool: name, within: null, args })),
        ({ tool: name }) => ({
          error: TOO_MUCH,
          integration: registry.tool(name)?.integration.name ?? null,
        }),
      );
      return { results };
    },
    'write',
  );
}
