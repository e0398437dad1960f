// Writes a value as JSON piece by piece, without ever making the whole text, and says where each member is. decision: 032
import * as z from 'zod';
import { writeJson } from '../../json/exact-integers.ts';

const encoder = new TextEncoder();

/**
 * A value whose JSON is certainly longer is written in several pieces. The limit is above what read_result shows whole,
 * so a member in several pieces is always shown as its kind.
 */
const LARGE_CHARACTERS = 32 * 1024;
const PIECE_CHARACTERS = 32 * 1024;
/** JSON.stringify has such a limit too: the size of the stack. */
const MAX_DEPTH = 1_000;

export type LargeKind = 'array' | 'object' | 'string';

/** A value in several pieces. `count` is its items, members or characters. */
export interface LargeNode {
  kind: LargeKind;
  count: number;
  parts: Part[];
}

/** What follows from the item, member or character `first` on: small ones together in a piece, or a large one. */
export type Part = { first: number; piece: number } | { first: number; key: string; node: LargeNode };

const StoredNode = z.object({
  kind: z.enum(['array', 'object', 'string']),
  count: z.number(),
  parts: z.array(
    z.union([
      z.object({ first: z.number(), piece: z.number() }),
      z.object({ first: z.number(), key: z.string(), node: z.unknown() }),
    ]),
  ),
});

/** Checks a stored node and those in it. They are nested as deep as a result, so the check does not call itself. */
export function isLargeNode(stored: unknown): stored is LargeNode {
  const open = [stored];
  while (open.length > 0) {
    const node = StoredNode.safeParse(open.pop()).data;
    if (node === undefined) return false;
    for (const part of node.parts) if ('node' in part) open.push(part.node);
  }
  return true;
}

export interface Piece {
  text: string;
  /** Adds the piece to `root`. Pieces are added in order, and the rest is left out after the first that is not. */
  commit(number: number): void;
}

export interface JsonPieces {
  /** Holds the value as its only item. */
  root: LargeNode;
  /** How much was written so far. */
  characters: number;
  /** Returns null at the end. Throws Unwritable for a value that cannot be written as JSON. */
  next(): Piece | null;
  /** What makes valid JSON of all the pieces so far. */
  ending(): string;
}

export class Unwritable extends Error {}

type Frame = { node: LargeNode; close: string } & (
  | { value: string; at: number }
  | {
      value: object;
      members: Iterator<[string, unknown]>;
      begun: boolean;
      run: string;
      runCount: number;
      total: number;
    }
);
type MembersFrame = Extract<Frame, { members: unknown }>;

const CLOSE = { array: ']', object: '}', string: '"' };
const OPEN = { array: '[', object: '{', string: '"' };

export function createJsonPieces(value: unknown): JsonPieces {
  const root: LargeNode = { kind: 'array', count: 0, parts: [] };
  const stack: Frame[] = [membersFrame(root, [value], '')];
  let failure: Unwritable | undefined;
  /** A large value whose opening comes after the run before it. */
  let pending: { prefix: string; key: string; value: object | string } | null = null;

  const made = (text: string, commit: Piece['commit'] = () => {}): Piece => {
    pieces.characters += text.length;
    return { text, commit };
  };

  function endRun(frame: MembersFrame): Piece {
    const { node, run, runCount, total } = frame;
    frame.run = '';
    frame.runCount = 0;
    return made(run, (piece) => {
      node.parts.push({ first: total - runCount, piece });
      node.count = total;
    });
  }

  function open(frame: MembersFrame, { prefix, key, value: large }: NonNullable<typeof pending>): Piece {
    if (stack.length > MAX_DEPTH || stack.some(({ value: outer }) => outer === large))
      throw new RangeError('nested too deeply, or in itself');
    const kind = typeof large === 'string' ? 'string' : Array.isArray(large) ? 'array' : 'object';
    const node: LargeNode = { kind, count: 0, parts: [] };
    const first = frame.total++;
    stack.push(
      typeof large === 'string'
        ? { node, close: CLOSE.string, value: large, at: 0 }
        : membersFrame(node, large, CLOSE[kind]),
    );
    return made(`${prefix}${OPEN[kind]}`, () => {
      frame.node.parts.push({ first, key: frame.node.kind === 'object' ? key : '', node });
      frame.node.count = first + 1;
    });
  }

  function nextMember(frame: MembersFrame): Piece | null {
    if (pending !== null) {
      const large = pending;
      pending = null;
      return open(frame, large);
    }
    for (;;) {
      const { done, value: member } = frame.members.next();
      if (done === true) return frame.run === '' ? null : endRun(frame);
      const [key, given] = member;
      const item = resolve(given, key);
      if (isOmitted(item) && frame.node.kind === 'object') continue;
      const comma = frame.begun ? ',' : '';
      const prefix = frame.node.kind === 'object' ? `${comma}${JSON.stringify(key)}:` : comma;
      frame.begun = true;
      if ((typeof item === 'string' || (typeof item === 'object' && item !== null)) && isLarge(item)) {
        if (frame.run === '') return open(frame, { prefix, key, value: item });
        pending = { prefix, key, value: item };
        return endRun(frame);
      }
      frame.run += prefix + (isOmitted(item) ? 'null' : JSON.stringify(item));
      frame.runCount++;
      frame.total++;
      if (frame.run.length >= PIECE_CHARACTERS) return endRun(frame);
    }
  }

  const pieces: JsonPieces = {
    root,
    characters: 0,
    next() {
      if (failure !== undefined) throw failure;
      const frame = stack.at(-1);
      if (frame === undefined) return null;
      try {
        const piece = 'at' in frame ? nextText(frame) : nextMember(frame);
        if (piece !== null) return piece;
      } catch (cause) {
        throw (failure = new Unwritable('The value cannot be written as JSON', { cause }));
      }
      stack.pop();
      return frame.close === '' ? null : made(frame.close);
    },
    ending: () => stack.map(({ close }) => close).reduceRight((all, close) => all + close, ''),
  };

  function nextText(frame: Extract<Frame, { at: number }>): Piece | null {
    const { node, value: text, at } = frame;
    if (at >= text.length) return null;
    let end = Math.min(at + PIECE_CHARACTERS, text.length);
    // A pair in two pieces would be written as two escapes.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    frame.at = end;
    return made(JSON.stringify(text.slice(at, end)).slice(1, -1), (piece) => {
      node.parts.push({ first: at, piece });
      node.count = end;
    });
  }

  return pieces;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function membersFrame(node: LargeNode, value: object, close: string): MembersFrame {
  return { node, close, value, members: membersOf(value), begun: false, run: '', runCount: 0, total: 0 };
}

function* membersOf(value: object): Generator<[string, unknown]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield [String(index), item];
  else for (const key of Object.keys(value)) yield [key, Reflect.get(value, key)];
}

/** Asks a value such as a date what to write for it. */
function resolve(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? value.toJSON(key) : value;
}

const isOmitted = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';

/** Whether the JSON of a value is certainly longer than a piece. */
export const isLarge = (value: unknown): boolean => isLonger(value, LARGE_CHARACTERS);

/** Whether the JSON of a value certainly has more characters. It looks at no more of the value than that takes. */
export const isLonger = (value: unknown, characters: number): boolean => spend(value, characters) < 0;

/** Returns null for a value whose JSON takes more bytes. Throws for what JSON cannot say. */
export function writeWithin(value: unknown, bytes: number): string | null {
  if (isLonger(value, bytes)) return null;
  const text = writeJson(value);
  return encoder.encode(text).length > bytes ? null : text;
}

/** Takes the shortest JSON that the value can have from `left`, and stops when nothing is left. */
function spend(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - 1;
  let rest = left - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index++)
      rest = spend(resolve(value[index], String(index)), rest - 1);
    return rest;
  }
  // Object.entries would look at all members of a large object first.
  for (const key in value) {
    if (rest < 0) return rest;
    if (!Object.hasOwn(value, key)) continue;
    const item = resolve(Reflect.get(value, key), key);
    if (!isOmitted(item)) rest = spend(item, rest - key.length - 4);
  }
  return rest;
}
