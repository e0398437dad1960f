// Reads the pages of a server's tool list, and leaves out what is not a tool. Nothing in it is trusted.
import { isObject } from '../../json/json.ts';
import type { SourceTool } from '../model/source-description.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { quoteName } from '../pinned/clean-text.ts';
import { readToolUi } from './app-meta.ts';
import { clean } from './failures.ts';

const MAX_TOOLS = 2_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Pages without a new tool that are read one after the other. Some servers answer with the last page for ever. */
const MAX_OLD_PAGES = 10;
const MAX_CURSOR = 64 * 1024;
const MAX_NAMED = 5;

export interface ListedTools {
  tools: readonly SourceTool[];
  warnings: readonly string[];
}

interface LeftOut {
  /** Entries that do not even have a name. */
  unnamed: number;
  /** Why a tool cannot be read, by its name. */
  unreadable: Map<string, string>;
  twice: Set<string>;
  tasks: Set<string>;
  hasNoEnd: boolean;
}

/** `page` asks for one page; undefined asks for the first. A cursor is given back as it came. */
export async function listTools(
  host: string,
  page: (cursor: unknown) => Promise<unknown>,
): Promise<ListedTools> {
  const tools = new Map<string, SourceTool>();
  const seen = new Set<string>();
  const left: LeftOut = {
    unnamed: 0,
    unreadable: new Map(),
    twice: new Set(),
    tasks: new Set(),
    hasNoEnd: false,
  };
  let bytes = 0;
  let cursor: unknown;

  function take(entry: unknown): void {
    const tool = readTool(entry);
    if (tool.kind === 'unnamed') left.unnamed++;
    else if (tool.kind === 'unreadable') left.unreadable.set(tool.name, tool.why);
    else if (isTask(entry)) left.tasks.add(tool.value.name);
    else if (tools.has(tool.value.name)) left.twice.add(tool.value.name);
    else tools.set(tool.value.name, tool.value);
  }

  for (let old = 0; ;) {
    const result = await page(cursor);
    const listed = isObject(result) ? result['tools'] : undefined;
    if (!Array.isArray(listed)) throw new SourceFailure(502, `${host} answered without a list of tools`);
    bytes += JSON.stringify(listed).length;
    if (bytes > MAX_BYTES) throw new SourceFailure(413, `The tools of ${host} take more than 16 MiB`);
    const before = tools.size;
    for (const entry of listed) take(entry);
    if (tools.size > MAX_TOOLS)
      throw new SourceFailure(
        413,
        `${host} has more than ${MAX_TOOLS} tools, which is more than an import may have`,
      );
    const next = isObject(result) ? result['nextCursor'] : undefined;
    if (next === undefined || next === null || next === '') break;
    const key = JSON.stringify(next);
    old = tools.size > before ? 0 : old + 1;
    left.hasNoEnd = seen.has(key) || key.length > MAX_CURSOR || old === MAX_OLD_PAGES;
    if (left.hasNoEnd) break;
    seen.add(key);
    cursor = next;
  }

  return { tools: [...tools.values()], warnings: warningsOf(host, left) };
}

function warningsOf(host: string, { unnamed, unreadable, twice, tasks, hasNoEnd }: LeftOut): string[] {
  const warnings: string[] = [];
  if (unnamed > 0)
    warnings.push(
      unnamed === 1
        ? 'One entry of the tool list was left out, because it is not a tool'
        : `${unnamed} entries of the tool list were left out, because they are not tools`,
    );
  for (const [name, why] of [...unreadable].slice(0, MAX_NAMED))
    warnings.push(`The tool ${quoteName(name)} was left out, because ${why}`);
  if (unreadable.size > MAX_NAMED)
    warnings.push(`${unreadable.size - MAX_NAMED} more tools were left out, because they cannot be read`);
  // A page that comes again lists everything twice.
  if (twice.size > 0 && !hasNoEnd)
    warnings.push(`Only the first tool of each name was taken; listed twice: ${enumerate(twice)}`);
  if (tasks.size > 0)
    warnings.push(`Not supported: ${enumerate(tasks)} (long-running ${tasks.size === 1 ? 'task' : 'tasks'})`);
  if (hasNoEnd) warnings.push(`The tool list of ${host} does not end, and was read until it began again`);
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

type ReadTool =
  | { kind: 'tool'; value: SourceTool }
  | { kind: 'unnamed' }
  | { kind: 'unreadable'; name: string; why: string };

function readTool(entry: unknown): ReadTool {
  if (!isObject(entry)) return { kind: 'unnamed' };
  const { name, title, description, inputSchema, outputSchema, annotations, _meta: meta } = entry;
  if (typeof name !== 'string' || name === '') return { kind: 'unnamed' };
  if (name.length > 1_024) return { kind: 'unreadable', name, why: 'its name is too long' };
  // A tool without a schema takes no arguments, and a schema may also be a boolean.
  const schema = inputSchema ?? true;
  if (!isObject(schema) && typeof schema !== 'boolean')
    return { kind: 'unreadable', name, why: 'the schema of its arguments is not a schema' };
  const hints = isObject(annotations) ? annotations : undefined;
  const shown = typeof title === 'string' ? title : hints?.['title'];
  const value = {
    name,
    title: typeof shown === 'string' ? shown : undefined,
    description: typeof description === 'string' ? description : '',
    inputSchema: isObject(schema) ? schema : { type: 'object', properties: {} },
    outputSchema: isObject(outputSchema) ? outputSchema : undefined,
    annotations: hints,
    ...readToolUi(meta),
  };
  return { kind: 'tool', value };
}
