// Reads a page of a stored result by its index: only the pieces that the page shows are read and parsed. decision: 032
import { escapePointer, keysOf, resolvePointer } from '../../json/pointer.ts';
import type { LargeNode, Part } from './json-pieces.ts';
import {
  createMemberPage,
  isCutInPage,
  isLong,
  kindOf,
  nothingAt,
  pageOf,
  type PageRequest,
  type ResultPage,
  sayWhere,
  textEnd,
  textPage,
} from './result-page.ts';

export interface IndexedText {
  root: LargeNode;
  /** Reads the text of a piece. */
  piece(number: number): Promise<string>;
}

type Member = { key: string; value: unknown } | { key: string; node: LargeNode };

export async function readIndexedPage(text: IndexedText, request: PageRequest): Promise<ResultPage> {
  const keys = keysOf(request.path);
  if (keys === null) return nothingAt(request.path);
  let found = await findMember(text, text.root, '0');
  let depth = 0;
  for (; found !== null && 'node' in found && depth < keys.length; depth++)
    found = await findMember(text, found.node, keys[depth] ?? '');
  if (found === null) return nothingAt(request.path);
  if ('node' in found) return nodePage(text, found.node, request);
  // The rest of the path is inside of one piece.
  const rest = request.path
    .split('/')
    .slice(depth + 1)
    .map((token) => `/${token}`);
  const inside = resolvePointer(found.value, rest.join(''));
  return inside === null ? nothingAt(request.path) : pageOf(inside.value, request);
}

/** A node with a single member is not shown by itself: the page would only say where to read on. */
async function nodePage(text: IndexedText, node: LargeNode, asked: PageRequest): Promise<ResultPage> {
  let { path } = asked;
  let deepest = node;
  while (asked.offset === 0 && deepest.count === 1 && deepest.kind !== 'string') {
    const [only] = await Array.fromAsync(membersFrom(text, deepest, 0));
    if (only === undefined) break;
    if ('value' in only && !isCutInPage(only.value)) break;
    const below = `${path}/${deepest.kind === 'array' ? 0 : escapePointer(only.key)}`;
    if (isLong(below)) break;
    path = below;
    if ('value' in only) return sayWhere(pageOf(only.value, { ...asked, path }), path, asked);
    deepest = only.node;
  }
  return sayWhere(await largePage(text, deepest, { ...asked, path }), path, asked);
}

async function largePage(text: IndexedText, node: LargeNode, request: PageRequest): Promise<ResultPage> {
  const { offset } = request;
  if (node.kind === 'string') {
    const part = await readCharacters(text, node, offset, textEnd(node.count, request) + 1);
    return textPage(part, node.count, request);
  }
  const page = createMemberPage(node.kind, request);
  for await (const member of membersFrom(text, node, offset)) {
    const fits =
      'node' in member
        ? page.addLarge(member.key, kindOf(member.node.kind, member.node.count))
        : page.add(member.key, member.value);
    if (!fits) break;
  }
  return page.finish(node.count);
}

async function findMember(text: IndexedText, node: LargeNode, key: string): Promise<Member | null> {
  if (node.kind === 'string') return null;
  if (node.kind === 'array') {
    if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= node.count) return null;
    for await (const item of membersFrom(text, node, Number(key))) return item;
    return null;
  }
  const large = node.parts.find((part) => 'node' in part && part.key === key);
  if (large !== undefined && 'node' in large) return { key, node: large.node };
  for await (const member of membersFrom(text, node, 0)) if (member.key === key) return member;
  return null;
}

async function* membersFrom(text: IndexedText, node: LargeNode, offset: number): AsyncGenerator<Member> {
  for (const { part, end } of partsFrom(node, offset)) {
    if ('node' in part) yield { key: part.key, node: part.node };
    else {
      const run = (await text.piece(part.piece)).replace(/^,/, '');
      const values: unknown = JSON.parse(node.kind === 'array' ? `[${run}]` : `{${run}}`);
      const members = Object.entries<unknown>(Object(values));
      for (const [key, value] of members.slice(Math.max(0, offset - part.first), end - part.first))
        yield { key, value };
    }
  }
}

async function readCharacters(text: IndexedText, node: LargeNode, from: number, to: number): Promise<string> {
  let characters = '';
  let first: number | undefined;
  for (const { part } of partsFrom(node, from)) {
    if (part.first >= to || 'node' in part) break;
    first ??= part.first;
    const decoded: unknown = JSON.parse(`"${await text.piece(part.piece)}"`);
    characters += String(decoded);
  }
  return characters.slice(from - (first ?? from), to - (first ?? from));
}

/** The parts that hold something at or after the offset, each with the first member after it. */
function* partsFrom(node: LargeNode, offset: number): Generator<{ part: Part; end: number }> {
  for (const [index, part] of node.parts.entries()) {
    const end = node.parts[index + 1]?.first ?? node.count;
    if (end > offset) yield { part, end };
  }
}
