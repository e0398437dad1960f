// Turns Markdown into the HTML of monday's updates.
import { toAdf } from '../atlassian/adf.ts';
import type { AdfMark, AdfNode } from '../atlassian/adf-inline.ts';

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
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
const writeAll = (nodes: readonly AdfNode[] = []): string => nodes.map(write).join('');

export const toUpdateHtml = (markdown: string): string => writeAll(toAdf(markdown).content);

function write({ type, text = '', marks = [], attrs, content }: AdfNode): string {
  switch (type) {
    case 'text':
      return marks.toReversed().reduce(writeMark, escape(text));
    case 'hardBreak':
      return '<br>';
    case 'rule':
      return '<hr>';
    case 'codeBlock':
      return `<pre>${escape(content?.[0]?.text ?? '')}</pre>`;
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

function writeMark(inside: string, { type, attrs }: AdfMark): string {
  if (type === 'link') return `<a href="${escape(String(attrs?.['href']))}">${inside}</a>`;
  const name = MARKS[type];
  return name === undefined ? inside : `<${name}>${inside}</${name}>`;
}
