// Indexes every integration and tool by name, in load order. reference: Tool descriptor; decision: 034
import type { Integration, Tool } from './integration.ts';
import { requestTool } from './request-tool.ts';

const NAME = /^[a-z0-9_]{1,64}$/;
// An integration with such a name would shadow a path of the portal API. decision: 034
const RESERVED = new Set(['providers', 'me', 'logout', 'hosted', 'idp', 'plugin', 'apikey', 'cookie']);

export interface RegisteredTool {
  tool: Tool;
  integration: Integration;
}

export interface Registry {
  /** All integrations in load order. */
  readonly integrations: readonly Integration[];
  /** All tools in load order. A later tool of the same name replaces the earlier one. */
  readonly tools: readonly RegisteredTool[];
  integration(name: string): Integration | null;
  tool(name: string): RegisteredTool | null;
  /** Finds a tool of one integration, by its full name or without the integration's prefix. */
  toolOf(integration: Integration, name: string): RegisteredTool | null;
  toolsOf(integration: Integration): readonly Tool[];
}

export function createRegistry(integrations: readonly Integration[]): Registry {
  const byName = new Map<string, Integration>();
  const tools = new Map<string, RegisteredTool>();
  for (const integration of integrations) {
    refuseBadName(integration, byName);
    byName.set(integration.name, integration);
    for (const tool of [...integration.tools, ...rawRequest(integration)])
      tools.set(tool.name, { tool, integration });
  }

  const all = [...tools.values()];
  const grouped = Map.groupBy(all, ({ integration }) => integration);
  const ofIntegration = new Map(
    integrations.map((one) => [one, (grouped.get(one) ?? []).map(({ tool }) => tool)]),
  );
  return {
    integrations: [...byName.values()],
    tools: all,
    integration: (name) => byName.get(name) ?? null,
    tool: (name) => tools.get(name) ?? null,
    toolOf(integration, name) {
      const meant = [tools.get(name), tools.get(`${integration.name}_${name}`)];
      return meant.find((found) => found?.integration === integration) ?? null;
    },
    toolsOf: (integration) => ofIntegration.get(integration) ?? [],
  };
}

// Adds the raw request tool to integrations with a token or a key. decision: 035
function rawRequest({ name, displayName, auth, api, tools }: Integration): Tool[] {
  const hasKey = auth.type === 'oauth2' || auth.type === 'apikey';
  if (!hasKey || api === undefined) return [];
  // A path without placeholders can be called as it is.
  const example = tools.find(({ request }) => request?.path.includes('{') === false)?.request?.path;
  return [requestTool(name, displayName, example)];
}

function refuseBadName(integration: Integration, taken: ReadonlyMap<string, Integration>): void {
  const { name, tools } = integration;
  if (!NAME.test(name))
    throw new TypeError(`integration name ${JSON.stringify(name)} is not made of a-z, 0-9 and _ (1 to 64)`);
  if (RESERVED.has(name)) throw new TypeError(`integration name "${name}" is reserved`);
  if (taken.has(name)) throw new TypeError(`integration "${name}" is registered twice`);
  const bad = tools.find((tool) => !NAME.test(tool.name));
  if (bad !== undefined)
    throw new TypeError(
      `tool name ${JSON.stringify(bad.name)} of "${name}" is not made of a-z, 0-9 and _ (1 to 64)`,
    );
}
