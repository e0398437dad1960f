// Reads folders of tools and sentences in one format: `tools.json` and `queries.json`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Searchable } from '../../src/search/document.ts';

/** A tool of an import. `id` names it in the sentences; the gateway calls it by its server and its name. */
const Tool = z.object({
  id: z.string(),
  server: z.string(),
  name: z.string(),
  description: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});
const Query = z.object({ set: z.string(), query: z.string(), tools: z.array(z.string()).min(1) });

export interface Corpus {
  name: string;
  /** The tools of each import. Empty where the sentences are about built-in tools. */
  imports: readonly (readonly Searchable[])[];
  queries: readonly Sentence[];
}

/** A sentence, and the names of the tools that serve it. */
export type Sentence = { set: string; query: string; right: readonly string[] };

/** Reads every folder below one that has sentences, in the order of their names. */
export function readCorpora(folder: string): Corpus[] {
  return readdirSync(folder)
    .toSorted()
    .filter((name) => existsSync(join(folder, name, 'queries.json')))
    .map((name) => readCorpus(name, join(folder, name)));
}

function readCorpus(name: string, folder: string): Corpus {
  const file = join(folder, 'tools.json');
  const tools = existsSync(file) ? z.array(Tool).parse(readJson(file)) : [];
  const named = new Map<string, string>();
  const taken = new Set<string>();
  const searchables = tools.map((tool) => {
    const searchable = searchableOf(tool, taken);
    named.set(tool.id, searchable.name);
    return searchable;
  });
  const byServer = Map.groupBy(searchables, ({ integration }) => integration);
  const queries = z.array(Query).parse(readJson(join(folder, 'queries.json')));
  return {
    name,
    imports: [...byServer.values()],
    queries: queries.map(({ set, query, tools: ids }) => ({
      set,
      query,
      right: ids.map((id) => named.get(id) ?? id),
    })),
  };
}

/** Names a tool as an import does. */
function searchableOf(
  { server, name, description, arguments: args = {} }: z.infer<typeof Tool>,
  taken: Set<string>,
): Searchable {
  const integration = plainOf(server);
  const own = plainOf(name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_'));
  let full = `${integration}_${own}`.slice(0, 64);
  for (let at = 2; taken.has(full); at++) full = `${full.slice(0, 60)}_${at}`;
  taken.add(full);
  const schema = {
    properties: Object.fromEntries(Object.entries(args).map(([key, text]) => [key, { description: text }])),
  };
  return { name: full, description: description.slice(0, 1024), integration, schema: () => schema };
}

const plainOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
