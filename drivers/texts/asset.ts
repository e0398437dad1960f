// Reads texts from the built portal, for a program that was built without them, and puts those of the integrations into the
// integrations, which all requests share.
import type { Assets } from '../../src/ports/assets.ts';
import type { DescribedOperations, SearchTables, Texts } from '../../src/ports/texts.ts';

interface ToolTexts {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** What is left out of an integration, and what says where it belongs. */
interface Textual {
  readonly name: string;
  readonly logo: string | null;
  readonly words?: object;
  readonly tools: readonly ToolTexts[];
}

type Kept = Pick<Textual, 'logo' | 'words'> & {
  tools: Record<string, Pick<ToolTexts, 'description' | 'schema'>>;
};

const ALL = 'texts.json';
const TABLES = 'search/tables.json';
const OPERATIONS = 'operations.json';
const pathOf = (name: string): string => `texts/${name}.json`;

export function createAssetTexts(assets: Pick<Assets, 'get'>, integrations: readonly Textual[]): Texts {
  let tables: SearchTables | undefined;
  const waiting = new Map(integrations.map((integration) => [integration.name, integration]));

  async function read<T>(path: string): Promise<T> {
    const asset = await assets.get(path);
    if (asset === null)
      throw new Error(`[texts] ${path} is missing: build the portal, and bind its folder as ASSETS`);
    // `textFilesOf` has written the file.
    return JSON.parse(new TextDecoder().decode(asset.body)) as T;
  }

  function fill(name: string, kept: Kept): void {
    const integration = waiting.get(name);
    // Another request has perhaps been faster: none may wait for the read of another.
    if (integration === undefined) return;
    const { logo, words } = kept;
    Object.defineProperties(integration, { logo: { value: logo }, words: { value: words } });
    for (const tool of integration.tools) {
      const texts = kept.tools[tool.name];
      if (texts === undefined) throw new Error(`[texts] ${tool.name} has none: build the portal again`);
      const { description, schema } = texts;
      Object.defineProperties(tool, { description: { value: description }, schema: { value: schema } });
    }
    waiting.delete(name);
  }

  return {
    async of(name) {
      if (waiting.has(name)) fill(name, await read<Kept>(pathOf(name)));
    },
    async all() {
      if (waiting.size === 0) return;
      for (const [name, kept] of Object.entries(await read<Record<string, Kept>>(ALL))) fill(name, kept);
    },
    tables: async () => (tables ??= await read<SearchTables>(TABLES)),
    operations: () => read<DescribedOperations>(OPERATIONS),
  };
}

/** The files that `createAssetTexts` reads, by their paths. */
export function textFilesOf(
  integrations: readonly Textual[],
  tables: SearchTables,
  operations: DescribedOperations,
): Map<string, string> {
  const all = integrations.map((integration): [string, Kept] => [integration.name, textsOf(integration)]);
  return new Map([
    [ALL, JSON.stringify(Object.fromEntries(all))],
    [TABLES, JSON.stringify(tables)],
    [OPERATIONS, JSON.stringify(operations)],
    ...all.map(([name, kept]): [string, string] => [pathOf(name), JSON.stringify(kept)]),
  ]);
}

function textsOf({ logo, words, tools }: Textual): Kept {
  const described = tools.map(({ name, description, schema }) => [name, { description, schema }]);
  return { logo, ...(words === undefined ? {} : { words }), tools: Object.fromEntries(described) };
}
