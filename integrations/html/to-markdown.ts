// Turns HTML into Markdown for reading. Confluence's storage format is XHTML with elements of its own. docs: Confluence
// storage format
import { decodeEntities } from './entities.ts';
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts';

const SIGNS: Record<string, string> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  code: '`',
};
const BLOCKS = new Set(['p', 'div', 'ul', 'ol', 'table', 'blockquote', 'ac:task-list', 'ac:rich-text-body']);
/** The content of these elements belongs to the element around them, or repeats it. */
const CAPTURED = new Set([
  'ac:parameter',
  'ac:task-id',
  'ac:task-status',
  'ac:plain-text-body',
  'ac:link',
  'ac:image',
  'ac:adf-attribute',
  'ac:adf-fallback',
  'th',
  'td',
]);

// Deeper than anybody nests.
const MAX_DEPTH = 20;

type Attributes = Readonly<Record<string, string>>;

interface Capture {
  name: string;
  attributes: Attributes;
  writer: MarkdownWriter;
  /** The target of the link or picture. */
  target: string;
  /** The state of the innermost table: a table in a cell has its own. */
  table: Pick<State, 'cells' | 'rows'>;
}

interface State {
  writer: MarkdownWriter;
  captures: Capture[];
  /** For each open list the number of its next item; null for a list without numbers. */
  lists: (number | null)[];
  links: string[];
  macros: { name: string; language: string }[];
  cells: string[];
  rows: number;
  task: string;
}

export function toMarkdown(storage: string): string {
  const state: State = {
    writer: createMarkdownWriter(),
    captures: [],
    lists: [],
    links: [],
    macros: [],
    cells: [],
    rows: 0,
    task: '',
  };
  const outermost = state.writer;
  let at = 0;
  while (at < storage.length) {
    const open = storage.indexOf('<', at);
    state.writer.text(decodeEntities(storage.slice(at, open === -1 ? undefined : open)));
    if (open === -1) break;
    at = read(storage, open, state);
  }
  for (let left = state.captures.at(-1); left !== undefined; left = state.captures.at(-1))
    closeCapture(left.name, state);
  return outermost.toString();
}

/** Reads one tag, comment or CDATA section, and returns the position after it. */
function read(storage: string, open: number, state: State): number {
  if (storage.startsWith('<![CDATA[', open)) {
    const end = indexAfter(storage, ']]>', open);
    state.writer.raw(storage.slice(open + 9, end - 3));
    return end;
  }
  if (storage.startsWith('<!--', open)) return indexAfter(storage, '-->', open);
  const end = indexAfter(storage, '>', open);
  const tag = storage.slice(open + 1, end - 1);
  const name = /^\/?([\w:-]+)/.exec(tag)?.[1]?.toLowerCase() ?? '';
  if (name === 'pre' && !/^\/|\/$/.test(tag)) return readCode(storage, end, state.writer);
  if (!tag.startsWith('/')) enter(name, attributesOf(tag), state);
  if (tag.startsWith('/') || tag.endsWith('/')) close(name, state);
  return end;
}

/** Writes the content of a `pre`, whose white space counts, and returns the position after its end tag. */
function readCode(storage: string, from: number, writer: MarkdownWriter): number {
  const end = /<\/pre\s*>/i.exec(storage.slice(from));
  const inside = storage.slice(from, end === null ? undefined : from + end.index);
  const code = decodeEntities(inside.replace(/<br[^>]*>/gi, '\n').replace(/<[^<>]*>/g, ''));
  writer.breakLine(2);
  writer.raw(`\`\`\`\n${code.replace(/^\n|\n$/g, '')}\n\`\`\``);
  writer.breakLine(2);
  return end === null ? storage.length : from + end.index + end[0].length;
}

function indexAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length + mark.length : found + mark.length;
}

function attributesOf(tag: string): Attributes {
  const found = tag.matchAll(/\s([\w:-]+)\s*=\s*"([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decodeEntities(value)]));
}

function enter(name: string, attributes: Attributes, state: State): void {
  const { writer, captures, lists } = state;
  if (CAPTURED.has(name) && captures.length < MAX_DEPTH) {
    captures.push({ name, attributes, writer, target: '', table: { cells: state.cells, rows: state.rows } });
    Object.assign(state, { writer: createMarkdownWriter(), cells: [], rows: 0 });
    return;
  }
  if (BLOCKS.has(name)) writer.breakLine(lists.length > 0 ? 1 : 2);
  if (/^h[1-6]$/.test(name)) {
    writer.breakLine(2);
    writer.raw(`${'#'.repeat(Number(name[1]))} `);
  }
  if (SIGNS[name] !== undefined) writer.raw(SIGNS[name]);
  switch (name) {
    case 'br':
      return writer.breakLine(1);
    case 'hr':
      writer.breakLine(2);
      return writer.raw('---');
    case 'ul':
    case 'ol':
      return void lists.push(name === 'ol' ? 1 : null);
    case 'li': {
      const number = lists.pop() ?? null;
      lists.push(number === null ? null : number + 1);
      const sign = number === null ? '- ' : `${number}. `;
      writer.breakLine(1);
      return writer.enter(sign, ' '.repeat(sign.length));
    }
    case 'blockquote':
      return writer.enter('> ', '> ');
    case 'ac:task-body':
      writer.breakLine(1);
      return writer.enter(state.task === 'complete' ? '- [x] ' : '- [ ] ', '  ');
    case 'a':
      state.links.push(attributes['href'] ?? '');
      return writer.raw('[');
    case 'img':
      return writer.raw(`![${attributes['alt'] ?? ''}](${attributes['src'] ?? ''})`);
    case 'time':
      return writer.text(attributes['datetime'] ?? '');
    case 'ac:emoticon':
      return writer.text(attributes['ac:emoji-fallback'] ?? '');
    case 'ac:structured-macro':
      return void state.macros.push({ name: attributes['ac:name'] ?? '', language: '' });
    default:
      return refer(name, attributes, captures);
  }
}

/** `ri:page`, `ri:attachment` and the others name the target of the link or picture around them. */
function refer(name: string, attributes: Attributes, captures: readonly Capture[]): void {
  const around = captures.findLast((each) => each.name === 'ac:link' || each.name === 'ac:image');
  if (!name.startsWith('ri:') || around === undefined) return;
  const keys = ['ri:content-title', 'ri:filename', 'ri:value', 'ri:space-key', 'ri:account-id'];
  around.target ||= keys.map((key) => attributes[key] ?? '').find((value) => value !== '') ?? '';
}

function close(name: string, state: State): void {
  if (CAPTURED.has(name)) return closeCapture(name, state);
  const { writer, lists } = state;
  if (SIGNS[name] !== undefined) writer.raw(SIGNS[name]);
  switch (name) {
    case 'ul':
    case 'ol':
      lists.pop();
      return writer.breakLine(lists.length > 0 ? 1 : 2);
    case 'li':
    case 'ac:task-body':
      writer.leave();
      return writer.breakLine(1);
    case 'blockquote':
      writer.leave();
      return writer.breakLine(2);
    case 'a':
      return writer.raw(`](${state.links.pop() ?? ''})`);
    case 'tr':
      return closeRow(state);
    case 'table':
      state.rows = 0;
      return writer.breakLine(2);
    case 'ac:structured-macro':
      return void state.macros.pop();
    default:
      if (BLOCKS.has(name) || /^h[1-6]$/.test(name)) writer.breakLine(lists.length > 0 ? 1 : 2);
  }
}

/** Markdown tables need a head, so the first row becomes the head. */
function closeRow(state: State): void {
  const { writer } = state;
  const cells = state.cells.splice(0);
  if (cells.length === 0) return;
  writer.breakLine(1);
  writer.raw(`| ${cells.join(' | ')} |`);
  if (state.rows++ > 0) return;
  writer.breakLine(1);
  writer.raw(`|${' --- |'.repeat(cells.length)}`);
}

function closeCapture(name: string, state: State): void {
  if (!state.captures.some((each) => each.name === name)) return;
  for (;;) {
    const capture = state.captures.pop();
    if (capture === undefined) return;
    // The first line of code may begin with its indentation.
    const text = capture.name === 'ac:plain-text-body' ? state.writer.exact() : state.writer.toString();
    Object.assign(state, { writer: capture.writer, ...capture.table });
    settle(capture, text, state);
    if (capture.name === name) return;
  }
}

function settle({ name, attributes, target }: Capture, text: string, state: State): void {
  const { writer, cells } = state;
  const macro = state.macros.at(-1);
  switch (name) {
    case 'ac:parameter':
      if (macro !== undefined && attributes['ac:name'] === 'language') macro.language = text;
      return;
    case 'ac:task-status':
      state.task = text;
      return;
    case 'ac:plain-text-body':
      writer.breakLine(2);
      writer.raw(`\`\`\`${macro?.language ?? ''}\n${text}\n\`\`\``);
      return writer.breakLine(2);
    case 'ac:link':
      return writer.text(text === '' ? target : text);
    case 'ac:image':
      return writer.raw(`![${text}](${target})`);
    case 'th':
    case 'td':
      return void cells.push(text.replace(/\s+/g, ' ').replaceAll('|', '\\|'));
    default:
  }
}
