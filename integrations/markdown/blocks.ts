// Reads Markdown as blocks. They nest only as an Atlassian document allows it, which every product can show.
import { readInline } from './inline.ts';
import type { MarkdownNode } from './nodes.ts';

/** Where a block stands decides what it may be: no heading in a list or a quote, no quote in either. */
type Place = 'document' | 'item' | 'quote';

// The look-ahead for a backtick comes first and the run is matched whole: otherwise every part of the run
// would be tried.
const FENCE = /^(?=[^`]*$| {0,3}`+[^`]*$) {0,3}(`{3,}(?!`)|~{3,}(?!~))[ \t]*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))(?:([ \t]+)(.*))?$/;
const DELIMITER = /^[\s|:]*-[\s|:-]*$/;
// Deeper than anybody writes; anything deeper stays as plain text.
const MAX_DEPTH = 12;
// Limits the cells of all tables together. Short rows are filled up to the width of the first row, so a few
// characters could otherwise produce endless cells.
const MAX_CELLS = 32_767;

export function readMarkdown(markdown: string): MarkdownNode[] {
  return readBlocks(markdown.replaceAll('\r\n', '\n').split('\n'), 'document', 0);
}

interface Read {
  nodes: MarkdownNode[];
  /** For a table: how many cells it has. */
  cells?: number;
  /** The index of the line after the block. */
  next: number;
}

function readBlocks(lines: readonly string[], place: Place, depth: number): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let room = MAX_CELLS;
  let at = 0;
  while (at < lines.length) {
    if (lines[at]?.trim() === '') {
      at++;
      continue;
    }
    const read = readBlock(lines, at, place, depth, room);
    nodes.push(...read.nodes);
    room -= read.cells ?? 0;
    at = read.next;
  }
  return nodes;
}

function readBlock(lines: readonly string[], at: number, place: Place, depth: number, room: number): Read {
  const line = lines[at] ?? '';
  const fence = FENCE.exec(line);
  if (fence !== null) return codeBlock(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const content = (heading[2] ?? '').trimEnd().replace(/[ \t]#+$/, '');
    const level = heading[1]?.length ?? 1;
    return { nodes: title(content, level, place), next: at + 1 };
  }
  if (RULE.test(line)) return { nodes: place === 'document' ? [{ type: 'rule' }] : [], next: at + 1 };
  if (depth < MAX_DEPTH && QUOTE.test(line)) return quote(lines, at, place, depth);
  if (depth < MAX_DEPTH && ITEM.test(line)) return list(lines, at, depth);
  if (place === 'document' && isTable(lines, at)) return table(lines, at, room);
  return paragraph(lines, at);
}

function title(text: string, level: number, place: Place): MarkdownNode[] {
  if (place === 'document') return [{ type: 'heading', attrs: { level }, content: readInline(text) }];
  return [{ type: 'paragraph', content: readInline(text, [{ type: 'strong' }]) }];
}

function codeBlock(
  lines: readonly string[],
  at: number,
  [, fence = '', language = '']: RegExpExecArray,
): Read {
  let end = at + 1;
  const isEnd = (line: string) => {
    const text = line.trim();
    return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
  };
  while (end < lines.length && !isEnd(lines[end] ?? '')) end++;
  const text = lines.slice(at + 1, end).join('\n');
  const node: MarkdownNode = { type: 'codeBlock', ...(language === '' ? {} : { attrs: { language } }) };
  return { nodes: [text === '' ? node : { ...node, content: [{ type: 'text', text }] }], next: end + 1 };
}

function quote(lines: readonly string[], at: number, place: Place, depth: number): Read {
  let next = at;
  while (QUOTE.test(lines[next] ?? '')) next++;
  const inner = lines.slice(at, next).map((line) => line.replace(QUOTE, ''));
  if (place !== 'document') return { nodes: readBlocks(inner, place, depth + 1), next };
  const content = readBlocks(inner, 'quote', depth + 1);
  return { nodes: content.length === 0 ? [] : [{ type: 'blockquote', content }], next };
}

function list(lines: readonly string[], at: number, depth: number): Read {
  const isOrdered = (line: string) => /^ *\d/.test(line);
  const ordered = isOrdered(lines[at] ?? '');
  const items: MarkdownNode[] = [];
  let next = at;
  for (;;) {
    const line = lines[next] ?? '';
    const [, marker, space = '', first = ''] = ITEM.exec(line) ?? [];
    if (marker === undefined || RULE.test(line) || isOrdered(line) !== ordered) break;
    const end = endOfItem(lines, next + 1);
    const width = marker.length + Math.min(space.length, 4);
    const rest = lines.slice(next + 1, end).map((each) => outdent(each, width));
    items.push({ type: 'listItem', content: itemContent(readBlocks([first, ...rest], 'item', depth + 1)) });
    next = end;
  }
  const start = Number.parseInt(lines[at] ?? '', 10);
  const node: MarkdownNode = ordered
    ? { type: 'orderedList', attrs: { order: start }, content: items }
    : { type: 'bulletList', content: items };
  return { nodes: [node], next };
}

/** Takes the lines that are indented, and those that continue without a blank line between. */
function endOfItem(lines: readonly string[], from: number): number {
  let end = from;
  let afterBlank = false;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      afterBlank = true;
      continue;
    }
    if (!/^( {2}|\t)/.test(line) && (afterBlank || startsBlock(line))) break;
    afterBlank = false;
    end = at + 1;
  }
  return end;
}

function outdent(line: string, width: number): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
  return ' '.repeat(Math.max(indent - width, 0)) + line.trimStart();
}

/** A list item has to begin with a paragraph or code. */
function itemContent(content: MarkdownNode[]): MarkdownNode[] {
  const [first] = content;
  const begins = first?.type === 'paragraph' || first?.type === 'codeBlock';
  return begins ? content : [{ type: 'paragraph', content: [] }, ...content];
}

function startsBlock(line: string): boolean {
  return [FENCE, HEADING, RULE, QUOTE, ITEM].some((each) => each.test(line));
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head = '', delimiter = ''] = lines.slice(at, at + 2);
  return head.includes('|') && delimiter.includes('|') && DELIMITER.test(delimiter);
}

function table(lines: readonly string[], at: number, room: number): Read {
  const width = cellsOf(lines[at] ?? '').length;
  const row = (line: string, type: string): MarkdownNode => {
    const cells = cellsOf(line);
    const content = Array.from({ length: width }, (_, column) => ({
      type,
      content: [{ type: 'paragraph', content: readInline(cells[column] ?? '') }],
    }));
    return { type: 'tableRow', content };
  };
  let next = at + 2;
  const rows = [row(lines[at] ?? '', 'tableHeader')];
  while (lines[next]?.includes('|') && (rows.length + 1) * width <= room)
    rows.push(row(lines[next++] ?? '', 'tableCell'));
  return { nodes: [{ type: 'table', content: rows }], cells: rows.length * width, next };
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Keeps line breaks, because people mean the breaks they write. */
function paragraph(lines: readonly string[], at: number): Read {
  let next = at + 1;
  const ends = (line: string) => line.trim() === '' || startsBlock(line) || isTable(lines, next);
  while (next < lines.length && !ends(lines[next] ?? '')) next++;
  const content = lines.slice(at, next).flatMap((line, index) => {
    const nodes = readInline(line.trim().replace(/\\$/, ''));
    return index === 0 ? nodes : [{ type: 'hardBreak' }, ...nodes];
  });
  return { nodes: [{ type: 'paragraph', content }], next };
}
