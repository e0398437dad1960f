// Finds what is new in the answer of a tool that reads. reference: Watches
import * as z from 'zod';
import type { Execute } from '../calls/execute.ts';
import type { FindTool } from '../calls/find-tool.ts';
import { canonicalJson } from '../json/canonical.ts';
import { compileSelect, MAX_EXPRESSION_CHARACTERS, SelectError } from '../json/select.ts';
import type { Identity } from '../kit/actor.ts';
import type { Digest } from '../ports/digest.ts';
import {
  ITEM_ID_CHARACTERS,
  MAX_EVERY_SECONDS,
  MIN_EVERY_SECONDS,
  RUN_SECONDS,
  WATCH_ITEMS,
} from './limits.ts';

const Expression = z.string().min(1).max(MAX_EXPRESSION_CHARACTERS);

export const WatchArguments = z.strictObject({
  tool: z.string().describe('A tool that only reads'),
  args: z.record(z.string(), z.unknown()).default({}),
  items: Expression.describe('JMESPath: the list in its result, such as items or @'),
  id: Expression.describe('JMESPath: what tells one item from another, such as id'),
  every: z.int().min(MIN_EVERY_SECONDS).max(MAX_EVERY_SECONDS).default(300).describe('Seconds'),
  changes: z.boolean().default(false).describe('An item that has changed is an event too'),
});
export type WatchArguments = z.output<typeof WatchArguments>;

/** What a run has seen: the digest of each item by its id. */
export const SeenShape = z.object({ seen: z.array(z.tuple([z.string(), z.string()])) });
export type Seen = z.infer<typeof SeenShape>;

/** Items that left the list for a moment are not new when they come back. */
const REMEMBERED = 2 * WATCH_ITEMS;

export interface FoundItem {
  id: string;
  /** `baseline` is the first run, which tells of nothing. */
  kind: 'item.new' | 'item.changed';
  item: unknown;
}

export type Watched =
  | {
      kind: 'found';
      items: readonly { id: string; item: unknown }[];
      events: readonly FoundItem[];
      seen: Seen;
    }
  /** The next run may do better. */
  | { kind: 'failed'; message: string }
  /** No run will. */
  | { kind: 'over'; message: string };

interface Needs {
  digest: Pick<Digest, 'sha256'>;
  execute: Execute;
  findTool: FindTool;
}

export type Watch = (
  caller: Identity,
  watch: WatchArguments,
  account: string | null,
  before: Seen | null,
) => Promise<Watched>;

type Answered =
  | { kind: 'answered'; result: unknown }
  /** The next run may do better. */
  | { kind: 'failed'; message: string }
  /** No run will. */
  | { kind: 'over'; message: string };

/** Runs a tool that reads, in the name of the person. */
export async function callWatched(
  { execute, findTool }: Pick<Needs, 'execute' | 'findTool'>,
  caller: Identity,
  { tool, args }: Pick<WatchArguments, 'tool' | 'args'>,
  account: string | null,
  seconds: number,
): Promise<Answered> {
  const found = await findTool(caller, tool, null);
  if (found === null) return { kind: 'failed', message: `No tool is named "${tool}"` };
  // A definition may have changed since.
  if (found.tool.access !== 'read')
    return { kind: 'over', message: `${found.tool.name} does not only read, so it cannot be watched` };
  const outcome = await execute(
    { ...caller, signal: AbortSignal.timeout(seconds * 1000) },
    { tool: found.tool.name, args, within: null, found, ...(account === null ? {} : { account }) },
  );
  if (outcome.kind === 'success') return { kind: 'answered', result: outcome.result };
  const message = 'message' in outcome ? outcome.message : 'The access of the person has ended';
  return { kind: 'failed', message };
}

/** Returns the items by their ids, the first ones of the list. */
export async function readItems(
  result: unknown,
  { items, id }: Pick<WatchArguments, 'items' | 'id'>,
): Promise<Map<string, unknown>> {
  const list = (await compileSelect(items))(result).value;
  if (!Array.isArray(list)) throw new SelectError('items: what it selects from the result is not a list');
  const idOf = await compileSelect(id);
  const named = new Map<string, unknown>();
  for (const item of list.slice(0, WATCH_ITEMS)) {
    const value: unknown = idOf(item).value;
    if (value === null || value === undefined) throw new SelectError('id: an item has none');
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    named.set(text.slice(0, ITEM_ID_CHARACTERS), item);
  }
  return named;
}

export function createWatch({ digest, execute, findTool }: Needs): Watch {
  return async function watch(caller, wanted, account, before) {
    const called = await callWatched({ execute, findTool }, caller, wanted, account, RUN_SECONDS);
    if (called.kind !== 'answered') return called;
    try {
      const named = await readItems(called.result, wanted);
      const digests = [...named].map(([id, item]): [string, string] => [
        id,
        wanted.changes ? digest.sha256(canonicalJson(item)) : '',
      ]);
      const known = new Map(before?.seen ?? []);
      const events =
        before === null
          ? []
          : digests.flatMap(([id, mine]): FoundItem[] => {
              const item = named.get(id);
              if (!known.has(id)) return [{ id, kind: 'item.new', item }];
              return known.get(id) === mine ? [] : [{ id, kind: 'item.changed', item }];
            });
      const rest = [...known].filter(([id]) => !named.has(id));
      return {
        kind: 'found',
        items: [...named].map(([id, item]) => ({ id, item })),
        events,
        seen: { seen: [...digests, ...rest].slice(0, REMEMBERED) },
      };
    } catch (error) {
      if (error instanceof SelectError) return { kind: 'failed', message: error.message };
      throw error;
    }
  };
}
