// Turns Markdown into the requests that write it into a document of Google Docs.
import { readMarkdown } from '../markdown/blocks.ts';
import type { Mark, MarkdownNode } from '../markdown/nodes.ts';

export type DocsRequest = Readonly<Record<string, unknown>>;

export interface Place {
  /** The index of the first character of a paragraph. */
  at: number;
  tabId: string | undefined;
  /** The paragraph at the place is empty, and becomes the last one of the text. */
  isEmpty: boolean;
}

/** What `code` is written with, and recognized by. */
export const CODE_FONT = 'Roboto Mono';
export const QUOTE_INDENT = 36;

// The API drops these characters from a text, and indices behind them would be wrong.
// The expression has to match control characters. oxlint-disable-next-line no-control-regex
const DROPPED = /[\u0000-\u0008\u000c-\u001f\ue000-\uf8ff]/g;
const SOFT_BREAK = '\u000b';

interface Span {
  from: number;
  to: number;
  marks: readonly Mark[];
}

interface Text {
  kind: 'text';
  /** Paragraphs, with a tab for each level of a list. */
  text: string;
  spans: readonly Span[];
  style?: string;
  bullets?: string;
  isQuote?: boolean;
  isCode?: boolean;
  isRule?: boolean;
}

interface Table {
  kind: 'table';
  rows: readonly (readonly Text[])[];
}

/**
 * Everything is inserted at the same index, the last part first. So each part is at that index when its request is applied,
 * and no request has to know how long the others are.
 */
export function fromMarkdown(markdown: string, { at, tabId, isEmpty }: Place): DocsRequest[] {
  const parts = readMarkdown(markdown).flatMap((node) => partsOf(node, false));
  return parts.toReversed().flatMap((part, index) => {
    if (part.kind === 'table') return tableRequests(part, at, tabId);
    const isLast = index === 0 && isEmpty && part.text !== '';
    return textRequests(part, { at, tabId, end: isLast ? '' : '\n' });
  });
}

function partsOf(node: MarkdownNode, isQuote: boolean): (Text | Table)[] {
  const quoted = isQuote ? { isQuote } : {};
  switch (node.type) {
    case 'heading':
      return [{ ...inlineText(node), style: `HEADING_${Number(node.attrs?.['level'] ?? 1)}` }];
    case 'codeBlock': {
      const code = clean(node.content?.[0]?.text ?? '').replaceAll('\n', SOFT_BREAK);
      return [{ kind: 'text', text: code, spans: [], isCode: true, ...quoted }];
    }
    case 'rule':
      return [{ kind: 'text', text: '', spans: [], isRule: true }];
    case 'blockquote':
      return (node.content ?? []).flatMap((each) => partsOf(each, true));
    case 'bulletList':
      return [{ ...listText(node, 0), bullets: 'BULLET_DISC_CIRCLE_SQUARE' }];
    case 'orderedList':
      return [{ ...listText(node, 0), bullets: 'NUMBERED_DECIMAL_NESTED' }];
    case 'table':
      return [
        {
          kind: 'table',
          rows: (node.content ?? []).map(({ content = [] }) =>
            content.map((cell) => inlineText(cell.content?.[0] ?? cell, cell.type === 'tableHeader')),
          ),
        },
      ];
    default:
      return [{ ...inlineText(node), ...quoted }];
  }
}

function inlineText({ content = [] }: MarkdownNode, isBold = false): Text {
  let text = '';
  const spans: Span[] = [];
  for (const node of content) {
    const from = text.length;
    text += node.type === 'hardBreak' ? SOFT_BREAK : clean(node.text ?? '');
    const marks = [...(node.marks ?? []), ...(isBold ? [{ type: 'strong' }] : [])];
    if (marks.length > 0 && text.length > from) spans.push({ from, to: text.length, marks });
  }
  return { kind: 'text', text, spans };
}

/** Docs takes the level of an item from the tabs before it, and removes them. */
function listText({ content = [] }: MarkdownNode, level: number): Text {
  return joinTexts(
    content.flatMap(({ content: blocks = [] }) => {
      const lists = blocks.filter(({ type }) => type.endsWith('List'));
      const own = blocks.filter(({ type }) => !type.endsWith('List'));
      const texts = own.flatMap((each) => partsOf(each, false)).filter((part) => part.kind === 'text');
      const item = joinTexts(texts, SOFT_BREAK);
      const tabs: Text = { kind: 'text', text: '\t'.repeat(level), spans: [] };
      return [joinTexts([tabs, item], ''), ...lists.map((list) => listText(list, level + 1))];
    }),
    '\n',
  );
}

function joinTexts(texts: readonly Text[], separator: string): Text {
  let text = '';
  const spans: Span[] = [];
  for (const [index, each] of texts.entries()) {
    if (index > 0) text += separator;
    const before = text.length;
    for (const { from, to, marks } of each.spans) spans.push({ from: before + from, to: before + to, marks });
    if (each.isCode === true && each.text !== '')
      spans.push({ from: before, to: before + each.text.length, marks: [{ type: 'code' }] });
    text += each.text;
  }
  return { kind: 'text', text, spans };
}

function textRequests(
  { text, spans, style = 'NORMAL_TEXT', bullets, isQuote, isCode, isRule }: Text,
  { at, tabId, end }: { at: number; tabId: string | undefined; end: string },
): DocsRequest[] {
  const inserted = `${text}${end}`;
  const rangeOf = (from: number, to: number) => ({ startIndex: at + from, endIndex: at + to, tabId });
  const range = rangeOf(0, inserted.length);
  const indent = { magnitude: QUOTE_INDENT, unit: 'PT' };
  const paragraphStyle = {
    namedStyleType: style,
    ...(isQuote === true ? { indentStart: indent, indentFirstLine: indent } : {}),
    ...(isCode === true ? { shading: { backgroundColor: grey(0.95) } } : {}),
    ...(isRule === true
      ? {
          borderBottom: {
            color: grey(0.75),
            width: { magnitude: 1, unit: 'PT' },
            padding: { magnitude: 1, unit: 'PT' },
            dashStyle: 'SOLID',
          },
        }
      : {}),
  };
  return [
    { insertText: { location: { index: at, tabId }, text: inserted } },
    // New text looks like the text before it, so its looks are reset first.
    { deleteParagraphBullets: { range } },
    {
      updateParagraphStyle: {
        range,
        paragraphStyle,
        fields: 'namedStyleType,indentStart,indentFirstLine,shading,borderBottom',
      },
    },
    { updateTextStyle: { range, textStyle: isCode === true ? CODE : {}, fields: '*' } },
    ...spans.flatMap(({ from, to, marks }) => styleRequests(rangeOf(from, to), marks)),
    ...(bullets === undefined ? [] : [{ createParagraphBullets: { range, bulletPreset: bullets } }]),
  ];
}

function tableRequests({ rows }: Table, at: number, tabId: string | undefined): DocsRequest[] {
  const columns = rows[0]?.length ?? 0;
  const cells = rows.flatMap((row, r) =>
    row.map((cell, c) => {
      // A line break stands before the table. The table, each row and each cell begin with one index of their own.
      const index = at + 4 + r * (2 * columns + 1) + 2 * c;
      const ranges = cell.spans.flatMap(({ from, to, marks }) =>
        styleRequests({ startIndex: index + from, endIndex: index + to, tabId }, marks),
      );
      return cell.text === ''
        ? []
        : [{ insertText: { location: { index, tabId }, text: cell.text } }, ...ranges];
    }),
  );
  return [
    { insertTable: { rows: rows.length, columns, location: { index: at, tabId } } },
    ...cells.toReversed().flat(),
  ];
}

const CODE = { weightedFontFamily: { fontFamily: CODE_FONT } };

function styleRequests(range: Record<string, unknown>, marks: readonly Mark[]): DocsRequest[] {
  const textStyle = Object.assign({}, ...marks.map(styleOf));
  const fields = Object.keys(textStyle).join(',');
  return fields === '' ? [] : [{ updateTextStyle: { range, textStyle, fields } }];
}

function styleOf({ type, attrs }: Mark): Record<string, unknown> {
  switch (type) {
    case 'strong':
      return { bold: true };
    case 'em':
      return { italic: true };
    case 'strike':
      return { strikethrough: true };
    case 'code':
      return CODE;
    case 'link':
      return { link: { url: attrs?.['href'] } };
    default:
      return {};
  }
}

const grey = (part: number) => ({ color: { rgbColor: { red: part, green: part, blue: part } } });

function clean(text: string): string {
  return text.replace(DROPPED, '');
}
