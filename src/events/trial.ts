// Tries a watch before there is one: what its tool answers, what the expressions find in it, and which expressions would find
// something. Nothing is stored. reference: Watches
import type { Execute } from '../calls/execute.ts';
import type { FindTool } from '../calls/find-tool.ts';
import { isObject } from '../json/json.ts';
import { SelectError } from '../json/select.ts';
import type { Identity } from '../kit/actor.ts';
import { RUN_SECONDS, TRIAL_CHARACTERS, TRIAL_ITEMS } from './limits.ts';
import { callWatched, readItems } from './watching.ts';

export interface Tried {
  /** The answer of the tool, or null when it is too long to be shown. */
  answer: unknown;
  /** How many items the expressions find. */
  count: number;
  /** The first items, and their names. */
  items: unknown[];
  ids: string[];
  /** Pairs of expressions that find something, the likeliest first. */
  suggestions: { items: string; id: string; count: number }[];
  /** What is wrong with the expressions. */
  problem: string | null;
}

export interface TrialOf {
  tool: string;
  args: Record<string, unknown>;
  items?: string | undefined;
  id?: string | undefined;
}

/** Returns a sentence when the tool cannot be tried. */
export type Trial = (caller: Identity, wanted: TrialOf, account: string | null) => Promise<Tried | string>;

const MAX_DEPTH = 4;
const MAX_SUGGESTIONS = 5;
/** Members that name an item, the likeliest first. */
const NAMES = [
  'id',
  'uuid',
  'key',
  'number',
  'iid',
  'sha',
  'slug',
  'url',
  'html_url',
  'name',
  'email',
  'title',
];

export function createTrial({ execute, findTool }: { execute: Execute; findTool: FindTool }): Trial {
  return async function trial(caller, { tool, args, items, id }, account) {
    const called = await callWatched({ execute, findTool }, caller, { tool, args }, account, RUN_SECONDS);
    if (called.kind !== 'answered') return called.message;
    const { result } = called;
    const suggestions = suggest(result);
    const isShort = (JSON.stringify(result) ?? '').length <= TRIAL_CHARACTERS;
    const tried = {
      answer: isShort ? result : null,
      count: 0,
      items: [],
      ids: [],
      suggestions,
      problem: null,
    };
    if (items === undefined || id === undefined) return tried;
    try {
      const named = [...(await readItems(result, { items, id }))];
      const some = named.slice(0, TRIAL_ITEMS);
      return {
        ...tried,
        count: named.length,
        items: some.map(([, item]) => item),
        ids: some.map(([name]) => name),
      };
    } catch (error) {
      if (error instanceof SelectError) return { ...tried, problem: error.message };
      throw error;
    }
  };
}

/** Looks for lists of objects that a member names, the nearest and longest first. */
function suggest(result: unknown): Tried['suggestions'] {
  const found: { items: string; id: string; count: number; depth: number }[] = [];
  const look = (value: unknown, path: string, depth: number): void => {
    if (Array.isArray(value)) {
      const id = nameOf(value);
      if (id !== null) found.push({ items: path === '' ? '@' : path, id, count: value.length, depth });
      return;
    }
    if (!isObject(value) || depth === MAX_DEPTH) return;
    for (const [name, part] of Object.entries(value)) {
      const member = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      look(part, path === '' ? member : `${path}.${member}`, depth + 1);
    }
  };
  look(result, '', 0);
  return found
    .toSorted((one, other) => one.depth - other.depth || other.count - one.count)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ items, id, count }) => ({ items, id, count }));
}

/** The member that every item has and that differs in each, or the item itself. */
function nameOf(list: readonly unknown[]): string | null {
  if (list.length === 0) return null;
  const differs = (values: readonly unknown[]) =>
    values.every((value) => typeof value === 'string' || typeof value === 'number') &&
    new Set(values).size === values.length;
  if (differs(list)) return '@';
  const objects = list.filter((item) => isObject(item));
  if (objects.length !== list.length) return null;
  const names = Object.keys(objects[0] ?? {}).filter((name) => /^[A-Za-z_]\w*$/.test(name));
  const rank = (name: string) => {
    const at = NAMES.indexOf(name.toLowerCase());
    return at === -1 ? (/id$/i.test(name) ? 1 : NAMES.length) : at;
  };
  return (
    names
      .toSorted((one, other) => rank(one) - rank(other))
      .find((name) => differs(objects.map((item) => item[name]))) ?? null
  );
}
