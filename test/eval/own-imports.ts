// Reads the imports of a person from a running gateway, and makes sentences of nothing but the names of their tools.
import * as z from 'zod';
import type { Searchable } from '../../src/search/document.ts';
import { splitName } from '../../src/search/stems.ts';
import type { Corpus, Sentence } from './corpora.ts';

const Integrations = z.object({ integrations: z.array(z.object({ name: z.string(), logo: z.string() })) });
const Tools = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string(), integration: z.string() })),
});

/** `key` is an API key of the person. Nothing is written, and no tool is called. */
export async function readOwnImports(gateway: string, key: string): Promise<Corpus> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(new URL(path, gateway), { headers: { 'x-service-api-key': key } });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    return response.json();
  };
  const { integrations } = Integrations.parse(await read('/api/integrations'));
  const { tools } = Tools.parse(await read('/api/tools'));
  const imported = new Set(
    integrations.filter(({ logo }) => logo.startsWith('/api/imports/')).map(({ name }) => name),
  );
  const own: Searchable[] = tools.filter(({ integration }) => imported.has(integration));
  return {
    name: 'your imports',
    imports: [...Map.groupBy(own, ({ integration }) => integration).values()],
    queries: own.flatMap(sentencesOf),
  };
}

/** The words of a name, and the words without the verb that it begins with. */
export function sentencesOf({ name, integration }: Searchable): Sentence[] {
  const words = splitName(name.slice(integration.length + 1));
  const right = [name];
  return [
    { set: 'names of tools', query: words.join(' '), right },
    ...(words.length > 2
      ? [{ set: 'names without their first word', query: words.slice(1).join(' '), right }]
      : []),
  ];
}
