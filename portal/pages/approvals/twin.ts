// Finds the tool that reads what another tool is about to change, and the few facts of its answer that a person needs.
import type { Approval } from '../../api/approvals.ts';
import type { ToolWithSchema } from '../../api/tools.ts';

const READ_VERBS = new Set(['get', 'read', 'show', 'fetch', 'view', 'retrieve', 'describe']);
const MAX_FACTS = 6;
const MAX_CHARACTERS = 120;

export interface Twin {
  tool: string;
  args: Record<string, string | number>;
}

/** `reading` are the tools that only read. Returns null unless a reading tool of the same name takes what this one requires. */
export function findTwin(
  { tool: name, args, access, integration }: Pick<Approval, 'tool' | 'args' | 'access' | 'integration'>,
  tools: readonly ToolWithSchema[],
  reading: ReadonlySet<string>,
): Twin | null {
  const tool = tools.find((each) => each.name === name);
  if (access === 'read' || args === null || tool === undefined) return null;
  const [, wanted] = wordsOf(name, integration);
  const required = requiredOf(tool);
  for (const each of tools) {
    const [verb, noun] = wordsOf(each.name, integration);
    if (!reading.has(each.name) || !READ_VERBS.has(verb) || noun !== wanted) continue;
    const needs = requiredOf(each);
    const given = needs.flatMap((key) => {
      const value = required.includes(key) ? args[key] : undefined;
      return typeof value === 'string' || typeof value === 'number' ? [[key, value] as const] : [];
    });
    if (needs.length > 0 && given.length === needs.length)
      return { tool: each.name, args: Object.fromEntries(given) };
  }
  return null;
}

/** The words of a tool without the name of its integration: first a verb, then what it is about. */
function wordsOf(name: string, integration: string): [verb: string, noun: string] {
  const prefix = `${integration}_`;
  const [verb = '', ...noun] = (name.startsWith(prefix) ? name.slice(prefix.length) : name)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return [verb, noun.join(' ')];
}

function requiredOf({ inputSchema }: ToolWithSchema): string[] {
  const required: unknown = inputSchema['required'];
  return Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [];
}

export type Fact = { name: string; value: string | number | boolean | null };

/** Lists plain members first found, also those of the one object that the answer consists of. */
export function factsOf(result: unknown): { facts: Fact[]; left: number } {
  let found = result;
  while (isObject(found)) {
    const members: unknown[] = Object.values(found);
    const [only] = members;
    if (members.length !== 1 || !isObject(only)) break;
    found = only;
  }
  if (!isObject(found)) return { facts: [], left: 0 };
  const plain = Object.entries(found).flatMap(([name, value]): Fact[] => {
    if (typeof value === 'string') return value === '' ? [] : [{ name, value: cut(value) }];
    return typeof value === 'number' || typeof value === 'boolean' || value === null ? [{ name, value }] : [];
  });
  const telling = plain.filter(({ value }) => value !== null);
  return { facts: telling.slice(0, MAX_FACTS), left: Math.max(0, telling.length - MAX_FACTS) };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const cut = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…`;
