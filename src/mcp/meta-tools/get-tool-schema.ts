// Implements get_tool_schema: the arguments of one or several tools as draft-07 JSON Schema. reference: Meta-tools
import * as z from 'zod';
import { SCHEMAS_AT_ONCE } from './limits.ts';
import { ErrorText } from '../../http/error-codes.ts';
import { parseJson } from '../../json/json.ts';
import type { Identity } from '../../kit/actor.ts';
import { type MetaTool, tool } from '../../kit/integration.ts';
import { guideOf } from '../../kit/guide-of.ts';
import { META_TOOL_NAMES } from '../../kit/meta-tool-names.ts';
import type { RegisteredTool } from '../../kit/registry.ts';
import type { Permissions } from '../../policy/model/permissions.ts';
import { describeBlocked } from '../../policy/model/visibility.ts';
import { withNearest } from '../../search/nearest.ts';
import { declareTools } from './declarations.ts';
import { GATEWAY, GATEWAY_GUIDE } from './gateway-guide.ts';
import type { MetaNeeds } from './context.ts';

const Names = z.array(z.string()).min(1).max(SCHEMAS_AT_ONCE);

/** A list is read as a text, because some clients refuse a schema with more than one type. decision: 033 */
const NameOrNames = z.preprocess(
  (value) => (Array.isArray(value) ? JSON.stringify(value) : value),
  z
    .string()
    .refine((text) => !isList(text) || Names.safeParse(namesIn(text)).success, {
      error: `must be a name, or a list of 1 to ${SCHEMAS_AT_ONCE} names`,
    })
    .describe('Full tool name, or several with commas'),
);

/** Says that a person has to approve each call. */
const REQUIRED = 'required';

// No name has a comma. A client that checks arguments lets a text pass, and refuses a real list.
const isList = (text: string): boolean => text.startsWith('[') || text.includes(',');

function namesIn(text: string): unknown {
  if (text.startsWith('[')) return parseJson(text);
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

type Needs = Pick<MetaNeeds, 'findTool' | 'gate' | 'guides' | 'texts' | 'toolboxOf' | 'visibility'>;

export function getToolSchema({ findTool, gate, guides, texts, toolboxOf, visibility }: Needs): MetaTool {
  async function notFound(caller: Identity, name: string) {
    const answer = { error: ErrorText.TOOL_NOT_FOUND };
    const integration = (await visibility.of(caller)).integration(name);
    const guide = integration === null ? ownGuide(name) : guideOf(await guides(), integration);
    if (guide !== undefined) return { ...answer, guide };
    return META_TOOL_NAMES.includes(name)
      ? { ...answer, message: `tools/list has the schema of ${name}` }
      : withNearest(answer, (await toolboxOf(caller)).nearest.tools(name));
  }

  async function find(caller: Identity, permissions: Permissions, name: string) {
    const found = await findTool(caller, name, null);
    if (found === null) return notFound(caller, name);
    const verdict = permissions.ofTool(found.integration, found.tool);
    if (verdict.decision === 'block')
      return describeBlocked(found.integration, gate.blockedText(verdict, name));
    await texts.of(found.integration.name);
    return { found, schema: found.tool.schema, isAsked: verdict.decision === 'ask' };
  }

  async function declareAll(caller: Identity, permissions: Permissions, wanted: string) {
    const names = isList(wanted) ? new Set(Names.parse(namesIn(wanted))) : new Set([wanted]);
    const tools: RegisteredTool[] = [];
    const errors: [string, unknown][] = [];
    const approvals: [string, typeof REQUIRED][] = [];
    for (const name of names) {
      const each = await find(caller, permissions, name);
      if ('error' in each) errors.push([name, each]);
      else tools.push(each.found);
      if (!('error' in each) && each.isAsked) approvals.push([each.found.tool.name, REQUIRED]);
    }
    const [first] = errors;
    if (tools.length === 0 && errors.length === 1) return first?.[1];
    return {
      types: declareTools([...new Map(tools.map((each) => [each.tool.name, each])).values()]),
      ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
      ...(approvals.length > 0 && { approvals: Object.fromEntries(approvals) }),
    };
  }

  return tool(
    'get_tool_schema',
    'Get the JSON Schema of the arguments of a tool: {schema}. Several names, with commas, give {schemas} by name; as: typescript gives {types} for scripts. The name of an integration gives its guide: ids, pages, limits, traps.',
    () => ({ tool: NameOrNames, as: z.enum(['typescript']).optional() }),
    async ({ tool: wanted, as }, caller) => {
      const permissions = await gate.permissionsOf(caller);
      if (as === 'typescript') return declareAll(caller, permissions, wanted);
      if (!isList(wanted)) {
        const found = await find(caller, permissions, wanted);
        if ('error' in found) return found;
        return { schema: found.schema, ...(found.isAsked && { approval: REQUIRED }) };
      }
      const names = new Set(Names.parse(namesIn(wanted)));
      const schemas: [string, unknown][] = [];
      const approvals: [string, typeof REQUIRED][] = [];
      for (const name of names) {
        const found = await find(caller, permissions, name);
        schemas.push([name, 'error' in found ? found : found.schema]);
        if (!('error' in found) && found.isAsked) approvals.push([name, REQUIRED]);
      }
      return {
        schemas: Object.fromEntries(schemas),
        ...(approvals.length > 0 && { approvals: Object.fromEntries(approvals) }),
      };
    },
  );
}

const ownGuide = (name: string): string | undefined => (name === GATEWAY ? GATEWAY_GUIDE : undefined);
