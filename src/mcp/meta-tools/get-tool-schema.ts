// Implements get_tool_schema: the arguments of one or several tools as draft-07 JSON Schema. reference: Meta-tools
import * as z from 'zod';
import { SCHEMAS_AT_ONCE } from '../../config/limits.ts';
import { ErrorText } from '../../http/error-codes.ts';
import { parseJson } from '../../json/json.ts';
import { type MetaTool, tool } from '../../kit/integration.ts';
import { META_TOOL_NAMES, withNearest } from '../../tools/nearest.ts';
import type { MetaNeeds } from './context.ts';

const Names = z.array(z.string()).min(1).max(SCHEMAS_AT_ONCE);

/** A list is read as a text, because some clients refuse a schema with more than one type. decision: 093 */
const NameOrNames = z.preprocess(
  (value) => (Array.isArray(value) ? JSON.stringify(value) : value),
  z
    .string()
    .refine((text) => !isList(text) || Names.safeParse(parseJson(text)).success, {
      error: `must be a name, or a list of 1 to ${SCHEMAS_AT_ONCE} names`,
    })
    .describe('Full tool name, or a list of names'),
);

const isList = (text: string): boolean => text.startsWith('[');

export function getToolSchema({
  registries,
  toolboxOf,
}: Pick<MetaNeeds, 'registries' | 'toolboxOf'>): MetaTool {
  async function notFound(userId: string, name: string) {
    const answer = { error: ErrorText.TOOL_NOT_FOUND };
    return META_TOOL_NAMES.includes(name)
      ? { ...answer, message: `tools/list has the schema of ${name}` }
      : withNearest(answer, (await toolboxOf(userId)).nearest.tools(name));
  }

  return tool(
    'get_tool_schema',
    'Get the JSON Schema of the arguments of a tool, as named by search_tools: {schema}. A list of names gives {schemas} by name.',
    () => ({ tool: NameOrNames }),
    async ({ tool: wanted }, { userId }) => {
      if (!isList(wanted)) {
        const found = await registries.tool(userId, wanted);
        return found === null ? notFound(userId, wanted) : { schema: found.tool.schema };
      }
      const names = Names.parse(parseJson(wanted));
      const schemas: [string, unknown][] = [];
      for (const name of names) {
        const found = await registries.tool(userId, name);
        schemas.push([name, found?.tool.schema ?? (await notFound(userId, name))]);
      }
      return { schemas: Object.fromEntries(schemas) };
    },
  );
}
