// Implements search_tools: the specification's literal search, with suggestions when it finds nothing. decision: 018
import * as z from 'zod';
import { type MetaTool, tool } from '../../kit/integration.ts';
import type { MetaNeeds } from './context.ts';

export function searchTools({
  registry,
  connected,
  search,
}: Pick<MetaNeeds, 'registry' | 'connected' | 'search'>): MetaTool {
  return tool(
    'search_tools',
    'Find tools whose name or description contains the query, taken as one literal text in any case. One or two words work best. When nothing contains it, suggestions lists the nearest tools. Then read the arguments with get_tool_schema and run with execute_tools.',
    () => ({ query: z.string().describe('Part of a tool name or description, for example "pull request"') }),
    async ({ query }, { userId }) => {
      const tools = search.literal(query);
      if (tools.length > 0) return { tools };
      const suggestions = search.suggest(query, await connected.all(userId, registry.integrations));
      return suggestions.length > 0 ? { tools, suggestions } : { tools };
    },
  );
}
