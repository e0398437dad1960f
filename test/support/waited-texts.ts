// Integrations whose texts nobody may read before they have waited for them: a Worker reads them from a file.
import type { Integration, Tool } from '../../src/kit/integration.ts';
import { searchTables } from '../../src/search/tables.ts';
import type { Texts } from '../../src/ports/texts.ts';

export function waitedTexts(carried: readonly Integration[]): {
  integrations: Integration[];
  texts: Texts;
} {
  const has = new Set<string>();

  function guard<T extends object>(original: T, name: string, texts: readonly (keyof T)[]): T {
    const guarded = texts.map((key): [PropertyKey, PropertyDescriptor] => [
      key,
      {
        enumerable: true,
        get() {
          if (!has.has(name)) throw new Error(`Nobody has waited for the texts of ${name}: ${String(key)}`);
          return original[key];
        },
      },
    ]);
    return Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(original), ...Object.fromEntries(guarded) },
    ) as T; // It has every member of the original.
  }

  const guardTool = (tool: Tool, name: string): Tool => guard(tool, name, ['description', 'schema']);
  const integrations = carried.map((integration) => {
    const tools = integration.tools.map((tool) => guardTool(tool, integration.name));
    return Object.assign(guard(integration, integration.name, ['words']), { tools });
  });
  return {
    integrations,
    texts: {
      of: async (name) => void has.add(name),
      all: async () => carried.forEach(({ name }) => has.add(name)),
      tables: async () => searchTables,
      operations: async (describe) => describe(),
    },
  };
}
