// Turns Markdown into the parts of a ClickUp comment: pieces of text, and line breaks that say what their line is.
// docs: ClickUp, Comment formatting
import { readMarkdown } from '../markdown/blocks.ts';
import type { MarkdownNode } from '../markdown/nodes.ts';

interface Part {
  text: string;
  attributes: Attributes;
}

const MARKS: Record<string, string> = { strong: 'bold', em: 'italic', code: 'code' };
type Attributes = Record<string, unknown>;

const PLAIN: Attributes = {};
const CODE = { 'code-block': { 'code-block': 'plain' } };
const list = (kind: string) => ({ list: { list: kind } });

export function toCommentParts(markdown: string): Part[] {
  const parts = readMarkdown(markdown).flatMap((node) => writeBlock(node, PLAIN));
  // A comment ends without an empty line.
  if (parts.at(-1)?.attributes === PLAIN) parts.pop();
  return parts;
}

const lineBreak = (line: Attributes): Part => ({ text: '\n', attributes: line });

/** `line` describes the lines of the block. */
function writeBlock(node: MarkdownNode, line: Attributes): Part[] {
  const { type, content = [] } = node;
  switch (type) {
    case 'heading':
      return [...writeInline(content, { bold: true }), lineBreak(line)];
    case 'codeBlock':
      return (content[0]?.text ?? '')
        .split('\n')
        .flatMap((text) => [...(text === '' ? [] : [{ text, attributes: {} }]), lineBreak(CODE)]);
    case 'bulletList':
    case 'orderedList': {
      const kind = type === 'bulletList' ? 'bullet' : 'ordered';
      return content.flatMap((item) => (item.content ?? []).flatMap((each) => writeBlock(each, list(kind))));
    }
    case 'blockquote':
      return [{ text: '> ', attributes: {} }, ...content.flatMap((each) => writeBlock(each, line))];
    case 'table':
      return content.flatMap((row) => [...writeRow(row), lineBreak(line)]);
    case 'rule':
      return [{ text: '———', attributes: {} }, lineBreak(line)];
    default:
      return [...writeInline(content), lineBreak(line)];
  }
}

function writeRow({ content = [] }: MarkdownNode): Part[] {
  return content.flatMap((cell, index) => [
    ...(index === 0 ? [] : [{ text: ' | ', attributes: {} }]),
    ...(cell.content ?? []).flatMap((each) => writeInline(each.content)),
  ]);
}

function writeInline(nodes: readonly MarkdownNode[] = [], all: Attributes = {}): Part[] {
  return nodes.map(({ type, text = '', marks = [] }) => {
    if (type === 'hardBreak') return lineBreak({});
    const named = marks.flatMap((mark) => MARKS[mark.type] ?? []);
    // Comments have no links with a text of their own: ClickUp finds addresses in the text.
    const href = marks.find((mark) => mark.type === 'link')?.attrs?.['href'];
    const shown = typeof href !== 'string' || href === text ? text : `${text} (${href})`;
    return { text: shown, attributes: { ...all, ...Object.fromEntries(named.map((name) => [name, true])) } };
  });
}
