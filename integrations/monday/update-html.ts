// Turns Markdown into the HTML of monday's updates.
import { escapeHtml } from '../html/escape.ts';
import { readMarkdown } from '../markdown/blocks.ts';
import type { Mark, MarkdownNode } from '../markdown/nodes.ts';

const BLOCKS: Record<string, string> = {
  paragraph: 'p',
  bulletList: 'ul',
  orderedList: 'ol',
  listItem: 'li',
  blockquote: 'blockquote',
  table: 'table',
  tableRow: 'tr',
  tableHeader: 'th',
  tableCell: 'td',
};
const MARKS: Record<string, string> = { strong: 'strong', em: 'em', strike: 's', code: 'code' };

const writeAll = (nodes: readonly MarkdownNode[] = []): string => nodes.map(write).join('');

export const toUpdateHtml = (markdown: string): string => writeAll(readMarkdown(markdown));

function write({ type, text = '', marks = [], attrs, content }: MarkdownNode): string {
  switch (type) {
    case 'text':
      return marks.toReversed().reduce(writeMark, escapeHtml(text));
    case 'hardBreak':
      return '<br>';
    case 'rule':
      return '<hr>';
    case 'codeBlock':
      return `<pre>${escapeHtml(content?.[0]?.text ?? '')}</pre>`;
    case 'heading': {
      const name = `h${Math.min(Number(attrs?.['level']), 3)}`;
      return `<${name}>${writeAll(content)}</${name}>`;
    }
    default: {
      const name = BLOCKS[type] ?? 'p';
      return `<${name}>${writeAll(content)}</${name}>`;
    }
  }
}

function writeMark(inside: string, { type, attrs }: Mark): string {
  if (type === 'link') return `<a href="${escapeHtml(String(attrs?.['href']))}">${inside}</a>`;
  const name = MARKS[type];
  return name === undefined ? inside : `<${name}>${inside}</${name}>`;
}
