// Turns Markdown into HTML, for products whose rich text is HTML. The blocks and marks are those of an Atlassian document.
import type { AdfMark, AdfNode } from '../atlassian/adf-inline.ts';
import { toAdf } from '../atlassian/adf.ts';

const TAGS: Record<string, string> = {
  blockquote: 'blockquote',
  bulletList: 'ul',
  table: 'table',
  tableRow: 'tr',
  tableHeader: 'th',
  tableCell: 'td',
};
const MARKS: Record<string, string> = { strong: 'strong', em: 'em', strike: 's', code: 'code' };

export function toHtml(markdown: string): string {
  return inside(toAdf(markdown));
}

const inside = ({ content = [] }: AdfNode): string => content.map(write).join('');

function write(node: AdfNode): string {
  const { type, text = '', marks = [], attrs = {} } = node;
  switch (type) {
    case 'text':
      return marks.reduceRight((html, mark) => wrap(html, mark), escapeHtml(text));
    case 'hardBreak':
      return '<br>';
    case 'rule':
      return '<hr>';
    case 'heading':
      return `<h${String(attrs['level'])}>${inside(node)}</h${String(attrs['level'])}>`;
    case 'codeBlock':
      return `<pre><code>${inside(node)}</code></pre>`;
    case 'orderedList':
      return `<ol${attrs['order'] === 1 ? '' : ` start="${String(attrs['order'])}"`}>${inside(node)}</ol>`;
    case 'listItem':
      return `<li>${tight(node)}</li>`;
    case 'tableHeader':
    case 'tableCell':
      return `<${TAGS[type]}>${tight(node)}</${TAGS[type]}>`;
    default: {
      const tag = TAGS[type] ?? 'p';
      return `<${tag}>${inside(node)}</${tag}>`;
    }
  }
}

/** Writes the first paragraph of an item or a cell without its tag, so that lists are not torn apart. */
function tight({ content = [] }: AdfNode): string {
  const [first, ...rest] = content;
  if (first?.type !== 'paragraph') return content.map(write).join('');
  return inside(first) + rest.map(write).join('');
}

function wrap(html: string, { type, attrs = {} }: AdfMark): string {
  if (type === 'link') return `<a href="${escapeHtml(String(attrs['href']))}">${html}</a>`;
  const tag = MARKS[type];
  return tag === undefined ? html : `<${tag}>${html}</${tag}>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
