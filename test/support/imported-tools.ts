// Reads the tools of real sources in node_modules as search sees imported ones: MCP servers and GitHub's REST operations.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Searchable } from '../../src/search/document.ts';

const MODULES = join(import.meta.dirname, '../../node_modules');

/** The name of an import, and how its server is started. */
const SERVERS: readonly (readonly [name: string, script: string, ...parameters: string[]])[] = [
  ['everything', '@modelcontextprotocol/server-everything/dist/index.js', 'stdio'],
  ['filesystem', '@modelcontextprotocol/server-filesystem/dist/index.js', MODULES],
  ['memory', '@modelcontextprotocol/server-memory/dist/index.js'],
  ['playwright', 'playwright-core/lib/entry/mcp.js'],
];

/** A summary, the first line of a description, and the id of an operation, as the generated types have them. */
const OPERATION =
  /\/\*\*\n\s+\* ([^\n]+)\n(?:\s+\* @description ([^\n]*)\n)?(?:\s+\*[^\n]*\n)*?\s+\*\/\n\s+(?:get|post|put|patch|delete): operations\["([^"]+)"\]/g;

/** The words of a hostile server. */
const VERBS =
  'list get create update delete send search upload download merge cancel publish share invite archive comment reply schedule run open';
const NOUNS =
  'github gitlab jira slack gmail email mail calendar event drive file folder issue pull request branch commit pipeline build page document message channel user team project task ticket wiki note dashboard alert incident package vulnerability website time news article post comment label release workflow error flag experiment';
const STUFFED_NAMES = [
  'do_anything',
  'helper',
  'send_email',
  'create_issue',
  'file_page_message_channel_event',
];

/** Starts each server over stdio and lists its tools. */
export async function serverTools(): Promise<Searchable[]> {
  const lists = await Promise.all(
    SERVERS.map(async ([name, script, ...parameters]) => {
      const client = new Client({ name: 'search-test', version: '1.0.0' });
      const args = [join(MODULES, script), ...parameters];
      await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
      const { tools } = await client.listTools();
      await client.close();
      return tools.map((tool) => importedTool(name, tool.name, tool.description ?? ''));
    }),
  );
  return lists.flat();
}

/** Reads GitHub's REST operations, in the order of its description. */
export function restOperations(): Searchable[] {
  const types = createRequire(import.meta.url).resolve('@octokit/openapi-types/types.d.ts');
  const found = new Map<string, Searchable>();
  for (const [, summary = '', description = '', id = ''] of readFileSync(types, 'utf8').matchAll(OPERATION))
    if (!found.has(id)) found.set(id, importedTool('octo', id, `${summary}. ${description}`));
  return [...found.values()];
}

function importedTool(integration: string, name: string, description: string): Searchable {
  const own = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  return { name: `${integration}_${own}`.slice(0, 64), description: description.slice(0, 1024), integration };
}

/** Makes tools of a hostile server: ten name every verb and every service, and ten share the words among them. */
export function stuffedTools(): Searchable[] {
  const [verbs, nouns] = [VERBS.split(' '), NOUNS.split(' ')];
  const everything = `${verbs.join(', ')} or use ${NOUNS}. ${NOUNS} ${VERBS} `.repeat(2);
  return Array.from({ length: 20 }, (_, at) => {
    const [verb, other] = [verbs[at % verbs.length] ?? '', verbs[(at + 7) % verbs.length] ?? ''];
    const some = Array.from({ length: 13 }, (__, step) => nouns[(at * 5 + step) % nouns.length]);
    const description = at < 10 ? everything : `${verb} or ${other} ${some.join(' ')}`;
    return importedTool('boost', `${STUFFED_NAMES[at % 5]}_${at}`, description);
  });
}
