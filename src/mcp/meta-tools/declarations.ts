// Declares tools in TypeScript, as a script calls them: tools.github_list_issues(args) and tools.github.list_issues(args).
// reference: Meta-tools
import { isObject } from '../../json/json.ts';
import { commentOf, createTypeWriter, keyOf } from '../../json/typescript.ts';
import type { RegisteredTool } from '../../kit/registry.ts';
import type { JsonSchema } from '../../kit/validation.ts';

const MAX_TOOL = 16 * 1024;
const MAX_ALL = 96 * 1024;
const MAX_WORDS = 500;

/** Less is written of a tool whose types are too long. */
const BOUNDS = [
  { depth: 12, describes: true },
  { depth: 12, describes: false },
  { depth: 3, describes: false },
  { depth: 0, describes: false },
] as const;

const OPTIONS = `interface CallOptions {
  /** The label of an account, where there are several. */
  account?: string;
  /** Names the call of a write, so that it runs once. */
  key?: string;
  /** A JMESPath expression: only what it selects comes back. */
  select?: string;
}
type Selected<O, T> = O extends { select: string } ? any : T;`;

/** Each is written for `tsc --strict`. */
export function declareTools(found: readonly RegisteredTool[]): string {
  const aliases: string[] = [];
  const methods: string[] = [];
  let left = MAX_ALL;
  for (const [at, registered] of found.entries()) {
    const declared = declare(registered, `T${at + 1}_`, left / (found.length - at));
    left -= declared.method.length + declared.aliases.join('\n').length;
    aliases.push(...declared.aliases);
    methods.push(`  ${declared.method}`);
  }
  const names = new Set(found.map(({ tool }) => tool.name));
  const groups = Map.groupBy(found, ({ integration }) => integration.name);
  const nested = [...groups].flatMap(([name, tools]) => {
    const members = tools.flatMap(({ tool }) =>
      tool.name.startsWith(`${name}_`)
        ? [`${keyOf(tool.name.slice(name.length + 1))}: Tools[${JSON.stringify(tool.name)}]`]
        : [],
    );
    return names.has(name) || members.length === 0 ? [] : [`${keyOf(name)}: { ${members.join('; ')} }`];
  });
  return [
    OPTIONS,
    ...aliases,
    `interface Tools {\n${methods.join('\n')}\n}`,
    `declare const tools: Tools & { ${nested.join('; ')} };`,
    '',
  ].join('\n');
}

function declare(
  { tool }: RegisteredTool,
  prefix: string,
  share: number,
): { method: string; aliases: string[] } {
  const { name, description, schema, output } = tool;
  const most = Math.min(MAX_TOOL, share);
  for (const bounds of BOUNDS) {
    const writer = createTypeWriter(prefix, bounds);
    const args = argumentsOf(writer.typeOf(schema, schema), schema);
    const result = output === undefined ? 'any' : writer.typeOf(valueOf(output.schema), output.schema);
    const words = bounds.depth === 0 ? '' : commentOf(description, MAX_WORDS);
    const method = `${words}${keyOf(name)}${answering(args, result)}`;
    const aliases = writer.aliases();
    if (method.length + aliases.join('\n').length <= most) return { method, aliases };
  }
  return { method: `${keyOf(name)}${answering('args?: any', 'any')}`, aliases: [] };
}

/** What is selected of a result has no type. */
const answering = (args: string, result: string): string =>
  result === 'any'
    ? `(${args}, options?: CallOptions): Promise<any>;`
    : `<O extends CallOptions>(${args}, options?: O): Promise<Selected<O, ${result}>>;`;

function argumentsOf(type: string, { required }: JsonSchema): string {
  const isNeeded = Array.isArray(required) && required.length > 0;
  return `args${isNeeded ? '' : '?'}: ${type}`;
}

/** A value that a server has put alone into `result` is given without it. */
function valueOf(schema: JsonSchema): unknown {
  const { properties } = schema;
  const isWrapped =
    isObject(properties) && Object.keys(properties).length === 1 && Object.hasOwn(properties, 'result');
  return isWrapped ? properties['result'] : schema;
}
