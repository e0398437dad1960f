// Reads the pages of a server's tool list, and leaves out what is not a tool. Nothing in it is trusted.
import { isObject } from '../../json/json.ts';
import type { SourceTool } from '../model/source-description.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { clean } from './failures.ts';

const MAX_TOOLS = 2_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_PAGES = 100;
const MAX_CURSOR = 64 * 1024;
const MAX_NAMED = 5;

export interface ListedTools {
  tools: readonly SourceTool[];
  warnings: readonly string[];
}

/** `page` asks for one page; undefined asks for the first. */
export async function listTools(
  host: string,
  page: (cursor: string | undefined) => Promise<unknown>,
): Promise<ListedTools> {
  const tools = new Map<string, SourceTool>();
  const seen = new Set<string>();
  const twice = new Set<string>();
  const tasks = new Set<string>();
  let odd = 0;
  let bytes = 0;
  let cursor: string | undefined;

  for (let pages = 1; ; pages++) {
    const result = await page(cursor);
    const listed = isObject(result) ? result['tools'] : undefined;
    if (!Array.isArray(listed)) throw new SourceFailure(502, `${host} answered without a list of tools`);
    bytes += JSON.stringify(listed).length;
    if (bytes > MAX_BYTES) throw new SourceFailure(413, `The tools of ${host} take more than 16 MiB`);
    for (const entry of listed) {
      const tool = readTool(entry);
      if (tool === null) odd++;
      else if (isTask(entry)) tasks.add(tool.name);
      else if (tools.has(tool.name)) twice.add(tool.name);
      else tools.set(tool.name, tool);
      if (tools.size > MAX_TOOLS)
        throw new SourceFailure(
          413,
          `${host} has more than ${MAX_TOOLS} tools, which is more than an import may have`,
        );
    }
    const next = isObject(result) ? result['nextCursor'] : undefined;
    if (typeof next !== 'string' || next === '') break;
    if (seen.has(next) || next.length > MAX_CURSOR || pages === MAX_PAGES)
      throw new SourceFailure(
        502,
        `The tool list of ${host} does not end: page ${pages} leads to another page again`,
      );
    seen.add(next);
    cursor = next;
  }

  return { tools: [...tools.values()], warnings: warningsOf(odd, twice, tasks) };
}

function warningsOf(odd: number, twice: ReadonlySet<string>, tasks: ReadonlySet<string>): string[] {
  const warnings: string[] = [];
  if (odd > 0)
    warnings.push(
      odd === 1
        ? 'One entry of the tool list was left out, because it is not a tool'
        : `${odd} entries of the tool list were left out, because they are not tools`,
    );
  if (twice.size > 0)
    warnings.push(`Only the first tool of each name was taken; listed twice: ${enumerate(twice)}`);
  if (tasks.size > 0)
    warnings.push(
      `Tools that run only as tasks were left out, because the gateway runs no tasks: ${enumerate(tasks)}`,
    );
  return warnings;
}

function enumerate(names: ReadonlySet<string>): string {
  const named = [...names].slice(0, MAX_NAMED).map((name) => clean(name).slice(0, 100));
  const more = names.size > named.length ? ` and ${names.size - named.length} others` : '';
  return `${named.join(', ')}${more}`;
}

/** The server refuses every plain call of such a tool. MCP 2025-11-25, Tasks */
function isTask(entry: unknown): boolean {
  const execution = isObject(entry) ? entry['execution'] : undefined;
  return isObject(execution) && execution['taskSupport'] === 'required';
}

/** Null when the entry is not a tool that could be called. */
function readTool(entry: unknown): SourceTool | null {
  if (!isObject(entry)) return null;
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  if (typeof name !== 'string' || name === '' || name.length > 1_024) return null;
  if (inputSchema !== undefined && !isObject(inputSchema)) return null;
  const hints = isObject(annotations) ? annotations : undefined;
  const shown = typeof title === 'string' ? title : hints?.['title'];
  return {
    name,
    title: typeof shown === 'string' ? shown : undefined,
    description: typeof description === 'string' ? description : '',
    // A tool without a schema takes no arguments.
    inputSchema: inputSchema ?? { type: 'object', properties: {} },
    outputSchema: isObject(outputSchema) ? outputSchema : undefined,
    annotations: hints,
  };
}
