// Turns a line of Markdown into text nodes with marks. Linear in the length of the line: an unclosed mark is
// searched for only once.
import type { Mark, MarkdownNode } from './nodes.ts';

const MARKS: readonly [sign: string, type: string][] = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'strike'],
  ['*', 'em'],
  ['_', 'em'],
];
const SPECIAL = /[\\`*_~[!<h]/g;
const CODE = /(`+)(?!`)/y;
const LINK =
  /!?\[([^[\]]{0,1000})\]\(<?((?:[^\s()<>]|\([^\s()<>]{0,500}\)){1,2000})>?(?:[ \t]+"[^"]{0,500}")?\)/y;
const ADDRESS = /<?(https?:\/\/[^\s<>"']{1,2000})>?/y;
const HREF = /^(https?:\/\/|mailto:|\/|#)/i;

export function readInline(text: string, marks: readonly Mark[] = []): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  const endless = new Set<string>();
  const runs = runsOfTicks(text);
  let plain = '';
  let at = 0;

  const flush = () => {
    if (plain !== '') nodes.push(textNode(plain, marks));
    plain = '';
  };
  const add = (added: readonly MarkdownNode[], next: number) => {
    flush();
    nodes.push(...added);
    at = next;
  };

  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const found = SPECIAL.exec(text)?.index ?? text.length;
    plain += text.slice(at, found);
    at = found;
    if (at === text.length) break;
    if (text[at] === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')) {
      plain += text[at + 1] ?? '';
      at += 2;
      continue;
    }
    const read = code(text, at, marks, runs) ?? link(text, at, marks) ?? readMarked(text, at, marks, endless);
    if (read !== null) add(read.nodes, read.next);
    else plain += text[at++] ?? '';
  }
  flush();
  return nodes;
}

type Read = { nodes: readonly MarkdownNode[]; next: number } | null;

function textNode(text: string, marks: readonly Mark[]): MarkdownNode {
  return marks.length === 0 ? { type: 'text', text } : { type: 'text', text, marks };
}

/** The positions where runs of each length begin, the first one last. */
function runsOfTicks(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: ticks, index } of [...text.matchAll(/`+/g)].toReversed()) {
    const begin = runs.get(ticks.length);
    if (begin === undefined) runs.set(ticks.length, [index]);
    else begin.push(index);
  }
  return runs;
}

function code(text: string, at: number, marks: readonly Mark[], runs: Map<number, number[]>): Read {
  // A code span never begins inside a run of backticks.
  const ticks = text[at - 1] === '`' ? undefined : matchAt(CODE, text, at)?.[1];
  if (ticks === undefined) return null;
  const from = at + ticks.length;
  // A code span ends at a run of the same length. Text behind it is not searched again.
  const begin = runs.get(ticks.length) ?? [];
  while ((begin.at(-1) ?? from) < from) begin.pop();
  const end = begin.at(-1);
  if (end === undefined) return null;
  const inside = text.slice(from, end).replace(/^ (?= *[^ ])(.*) $/, '$1');
  // Only a link may be combined with code.
  const others = marks.filter(({ type }) => type === 'link');
  return { nodes: [textNode(inside, [...others, { type: 'code' }])], next: end + ticks.length };
}

function link(text: string, at: number, marks: readonly Mark[]): Read {
  if (marks.some(({ type }) => type === 'link')) return null;
  const [whole, label = '', href] = matchAt(LINK, text, at) ?? [];
  if (whole !== undefined && href !== undefined && HREF.test(href)) {
    const nodes = readInline(label === '' ? href : label, [...marks, { type: 'link', attrs: { href } }]);
    return { nodes, next: at + whole.length };
  }
  if (/\w/.test(text[at - 1] ?? '')) return null;
  const [bracketed, found] = matchAt(ADDRESS, text, at) ?? [];
  if (bracketed === undefined || found === undefined) return null;
  const open = bracketed.startsWith('<') && bracketed.endsWith('>');
  // Punctuation at the end of the sentence is not part of the address.
  const address = open ? found : found.replace(/[.,;:!?)\]*_~]{1,10}$/, '');
  const start = bracketed.startsWith('<') && !open ? null : at;
  if (start === null) return null;
  const node = textNode(address, [...marks, { type: 'link', attrs: { href: address } }]);
  return { nodes: [node], next: start + (open ? bracketed.length : address.length) };
}

function readMarked(text: string, at: number, marks: readonly Mark[], endless: Set<string>): Read {
  const [sign, type] = MARKS.find(([each]) => text.startsWith(each, at)) ?? [];
  if (sign === undefined || type === undefined || marks.some((each) => each.type === type)) return null;
  const from = at + sign.length;
  if (endless.has(sign) || !/\S/.test(text[from] ?? '')) return null;
  const isWord = (index: number) => sign.startsWith('_') && /[\p{L}\p{N}]/u.test(text[index] ?? '');
  if (isWord(at - 1)) return null;
  const end = findClosing(text, sign, from, isWord);
  if (end === -1) {
    endless.add(sign);
    return null;
  }
  return { nodes: readInline(text.slice(from, end), [...marks, { type }]), next: end + sign.length };
}

function findClosing(text: string, sign: string, from: number, isWord: (index: number) => boolean): number {
  const [one = ''] = sign;
  for (let at = text.indexOf(sign, from + 1); at !== -1; at = text.indexOf(sign, at + 1)) {
    if (/\s/.test(text[at - 1] ?? '') || isWord(at + sign.length)) continue;
    // In a run of three signs the last two close a strong mark; in a run of two, no sign closes an emphasis.
    if (text[at + sign.length] === one && sign.length === 2) continue;
    if (sign.length === 1 && (text[at + 1] === one || text[at - 1] === one)) continue;
    return at;
  }
  return -1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
