// Indexes every integration and tool by name, in load order. reference: Tool descriptor
import type { Integration, Tool } from './integration.ts';
import { requestTool } from './request-tool.ts';

const NAME = /^[a-z0-9_]{1,64}$/;
// An integration with such a name would shadow a path of the portal API.
const RESERVED = new Set(['providers', 'me', 'logout', 'hosted', 'idp', 'plugin', 'apikey', 'cookie']);

export const isReservedName = (name: string): boolean => RESERVED.has(name);

export interface RegisteredTool {
  tool: Tool;
  integration: Integration;
}

export interface Registry {
  /** What this registry is stacked of. Searches build an index for each layer once. */
  readonly layers: readonly Registry[];
  /** All integrations in load order. */
  readonly integrations: readonly Integration[];
  /** All tools in load order. A later tool of the same name replaces the earlier one. */
  readonly tools: readonly RegisteredTool[];
  /** Tools that are found by their name and listed nowhere, such as those that wait for a person to accept them. */
  readonly hidden: readonly RegisteredTool[];
  integration(name: string): Integration | null;
  tool(name: string): RegisteredTool | null;
  /** The listed tools that their own servers call so. */
  bySource(source: string): readonly RegisteredTool[];
  /** Finds a tool of one integration, by its full name, without the integration's prefix, or as its own server calls it. */
  toolOf(integration: Integration, name: string): RegisteredTool | null;
  toolsOf(integration: Integration): readonly Tool[];
}

export function createRegistry(integrations: readonly Integration[]): Registry {
  const known = new Map<string, Integration>();
  for (const integration of integrations) {
    refuseBadName(integration, known);
    known.set(integration.name, integration);
  }
  return createLayer(
    integrations,
    integrations.flatMap((integration) =>
      [...integration.tools, ...rawRequest(integration)].map((tool) => ({ tool, integration })),
    ),
  );
}

export function createLayer(
  integrations: readonly Integration[],
  listed: readonly RegisteredTool[],
  hidden: readonly RegisteredTool[] = [],
): Registry {
  const byName = new Map(integrations.map((integration) => [integration.name, integration]));
  const tools = new Map(listed.map((registered) => [registered.tool.name, registered]));
  const found = new Map([...hidden.map((each) => [each.tool.name, each] as const), ...tools]);
  const all = [...tools.values()];
  const grouped = Map.groupBy(all, ({ integration }) => integration);
  const ofIntegration = new Map(
    [...integrations, ...grouped.keys()].map((one) => [
      one,
      (grouped.get(one) ?? []).map(({ tool }) => tool),
    ]),
  );
  let bySource: ReadonlyMap<string | undefined, RegisteredTool[]> | undefined;
  const layer: Registry = {
    get layers() {
      return [layer];
    },
    integrations: [...byName.values()],
    tools: all,
    hidden,
    integration: (name) => byName.get(name) ?? null,
    tool: (name) => found.get(name) ?? null,
    toolOf(integration, name) {
      const meant = [found.get(name), found.get(`${integration.name}_${name}`), ...layer.bySource(name)];
      return meant.find((each) => each?.integration === integration) ?? null;
    },
    // Only imported tools have such a name, and few callers ask for it.
    bySource: (source) => (bySource ??= Map.groupBy(all, ({ tool }) => tool.source)).get(source) ?? [],
    toolsOf: (integration) => ofIntegration.get(integration) ?? [],
  };
  return layer;
}

/** An earlier registry wins where two have the same name. */
export function stackRegistries(registries: readonly Registry[]): Registry {
  const [only] = registries;
  if (registries.length === 1 && only !== undefined) return only;
  return {
    layers: registries.flatMap(({ layers }) => layers),
    integrations: registries.flatMap(({ integrations }) => integrations),
    tools: registries.flatMap(({ tools }) => tools),
    hidden: registries.flatMap(({ hidden }) => hidden),
    integration: (name) => firstOf(registries, (registry) => registry.integration(name)),
    tool: (name) => firstOf(registries, (registry) => registry.tool(name)),
    bySource: (source) => registries.flatMap((registry) => registry.bySource(source)),
    toolOf: (integration, name) => firstOf(registries, (registry) => registry.toolOf(integration, name)),
    toolsOf: (integration) => registries.flatMap((registry) => registry.toolsOf(integration)),
  };
}

function firstOf<T>(registries: readonly Registry[], find: (registry: Registry) => T | null): T | null {
  for (const registry of registries) {
    const found = find(registry);
    if (found !== null) return found;
  }
  return null;
}

// Adds the raw request tool to integrations with a token or a key. decision: 034
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
