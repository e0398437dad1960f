// Turns Markdown into Asana's rich text and back. It is XML with few elements: any other element is refused, and a line
// break is a line break of the text. docs: Asana, Rich text
import { escapeHtml } from '../html/escape.ts';
import { readMarkdown } from '../markdown/blocks.ts';
import type { Mark, MarkdownNode } from '../markdown/nodes.ts';
import { toMarkdown } from '../html/to-markdown.ts';
import { decodeEntities } from '../html/entities.ts';

const MARKS: Record<string, string> = { strong: 'strong', em: 'em', strike: 's', code: 'code' };

/** Comments have no headings and no rules. */
type Place = 'notes' | 'comment';

export const toNotes = (markdown: string): string => toRichText(markdown, 'notes');
export const toComment = (markdown: string): string => toRichText(markdown, 'comment');

function toRichText(markdown: string, place: Place): string {
  return `<body>${writeBlocks(readMarkdown(markdown), place)}</body>`;
}

function writeBlocks(nodes: readonly MarkdownNode[] = [], place: Place): string {
  return nodes
    .map((node, index) => gapBetween(nodes[index - 1], node, place) + writeBlock(node, place))
    .join('');
}

/** Elements begin a line of their own. Only texts need line breaks between them. */
function gapBetween(before: MarkdownNode | undefined, node: MarkdownNode, place: Place): string {
  if (before === undefined || !isText(before, place) || !isText(node, place)) return '';
  return before.type === 'paragraph' && node.type === 'paragraph' ? '\n\n' : '\n';
}

const isText = ({ type }: MarkdownNode, place: Place): boolean =>
  type === 'paragraph' || type === 'table' || (place === 'comment' && /^(heading|rule)$/.test(type));

function writeBlock(node: MarkdownNode, place: Place): string {
  const inside = () => writeBlocks(node.content, place);
  switch (node.type) {
    case 'heading': {
      const name = place === 'comment' ? 'strong' : node.attrs?.['level'] === 1 ? 'h1' : 'h2';
      return `<${name}>${writeInline(node.content)}</${name}>`;
    }
    case 'bulletList':
      return `<ul>${inside()}</ul>`;
    case 'orderedList':
      return `<ol>${inside()}</ol>`;
    case 'listItem':
      return `<li>${inside()}</li>`;
    case 'blockquote':
      return `<blockquote>${inside()}</blockquote>`;
    case 'codeBlock':
      return `<pre>${escape(node.content?.[0]?.text ?? '')}</pre>`;
    case 'rule':
      return place === 'comment' ? '' : '<hr/>';
    // A row becomes a line, because tables have attributes that only Asana can choose.
    case 'table':
      return (node.content ?? []).map((row) => writeRow(row, place)).join('\n');
    default:
      return writeInline(node.content);
  }
}

function writeRow({ content = [] }: MarkdownNode, place: Place): string {
  return content.map((cell) => writeBlocks(cell.content, place)).join(' | ');
}

function writeInline(nodes: readonly MarkdownNode[] = []): string {
  return nodes
    .map(({ type, text = '', marks = [] }) =>
      type === 'hardBreak' ? '\n' : marks.toReversed().reduce(writeMark, escape(text)),
    )
    .join('');
}

function writeMark(inside: string, { type, attrs }: Mark): string {
  const href = String(attrs?.['href']);
  // A relative address means nothing in Asana, which refuses it.
  if (type === 'link')
    return /^(https?|mailto):/i.test(href) ? `<a href="${escape(href)}">${inside}</a>` : inside;
  const name = MARKS[type];
  return name === undefined ? inside : `<${name}>${inside}</${name}>`;
}

// XML allows no other control characters than these three white spaces.
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

const escape = (text: string): string => escapeHtml(text.replace(CONTROLS, ''));

/** Reads rich text as Markdown. */
export function fromRichText(xml: string): string {
  const parts = xml.split(/<pre>([^]*?)<\/pre>/);
  const html = parts.map((part, index) => (index % 2 === 1 ? asCode(part) : withBreaks(part)));
  return toMarkdown(html.join(''));
}

const withBreaks = (xml: string): string =>
  xml
    .replace(/\n{2,}/g, '<p></p>')
    .replaceAll('\n', '<br/>')
    .replaceAll('<hr/>', '<hr/><p></p>');

/** The reader takes code in the form of Confluence. */
const asCode = (xml: string): string => {
  const code = decodeEntities(xml.replace(/<[^<>]*>/g, '')).replaceAll(']]>', ']] >');
  return `<ac:plain-text-body><![CDATA[${code}]]></ac:plain-text-body>`;
};
