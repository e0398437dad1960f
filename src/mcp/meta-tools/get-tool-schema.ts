// Implements get_tool_schema: the arguments of one tool as draft-07 JSON Schema. reference: Meta-tools
import * as z from 'zod';
import { ErrorText } from '../../http/error-codes.ts';
import { type MetaTool, tool } from '../../kit/integration.ts';
import type { MetaNeeds } from './context.ts';

export function getToolSchema({ registry }: Pick<MetaNeeds, 'registry'>): MetaTool {
  return tool(
    'get_tool_schema',
    'Get the JSON Schema of the arguments of one tool, as named by search_tools.',
    () => ({ tool: z.string().describe('Full tool name') }),
    ({ tool: name }) => {
      const found = registry.tool(name);
      return found === null ? { error: ErrorText.TOOL_NOT_FOUND } : { schema: found.tool.schema };
    },
  );
}
