// Converts Markdown to HTML and back: mail, events, tasks and chat messages are HTML.
import { type AdfMark, type AdfNode } from '../atlassian/adf-inline.ts';
import { toAdf } from '../atlassian/adf.ts';
import { toText } from '../web/html-text.ts';

/** The body of an item as the API takes it. */
export const toBody = (markdown: string) => ({ contentType: 'html', content: toHtml(markdown) }) as const;

export const toHtml = (markdown: string): string => toAdf(markdown).content?.map(render).join('\n') ?? '';

/** The text of an item, as Markdown where it is HTML. */
export function readBody(body: { contentType?: unknown; content?: unknown } | null | undefined): string {
  const content = typeof body?.content === 'string' ? body.content : '';
  return body?.contentType === 'html' ? toText(content, true).text : content.replaceAll('\r\n', '\n').trim();
}

const TAGS: Readonly<Record<string, string>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  bulletList: 'ul',
  listItem: 'li',
  table: 'table',
  tableRow: 'tr',
  tableHeader: 'th',
  tableCell: 'td',
};
const MARKS: Readonly<Record<string, string>> = { strong: 'b', em: 'i', strike: 's', code: 'code' };

function render(node: AdfNode): string {
  const { type, attrs = {}, content = [] } = node;
  switch (type) {
    case 'text':
      return (node.marks ?? []).reduceRight(mark, escape(node.text ?? ''));
    case 'hardBreak':
      return '<br>';
    case 'rule':
      return '<hr>';
    case 'codeBlock':
      return `<pre><code>${inside(content)}</code></pre>`;
    case 'orderedList':
      return `<ol start="${Number(attrs['order'])}">${inside(content)}</ol>`;
    case 'heading':
      return `<h${Number(attrs['level'])}>${inside(content)}</h${Number(attrs['level'])}>`;
    case 'listItem':
    case 'tableHeader':
    case 'tableCell':
      return wrap(TAGS[type] ?? '', tight(content));
    default:
      return wrap(TAGS[type] ?? 'p', inside(content));
  }
}

const inside = (content: readonly AdfNode[]): string => content.map(render).join('');

const wrap = (tag: string, html: string): string => `<${tag}>${html}</${tag}>`;

/** The first paragraph of a list item or a cell needs no element of its own. */
function tight([first, ...rest]: readonly AdfNode[]): string {
  if (first?.type !== 'paragraph') return inside([...(first === undefined ? [] : [first]), ...rest]);
  return inside([...(first.content ?? []), ...rest]);
}

function mark(html: string, { type, attrs = {} }: AdfMark): string {
  if (type === 'link') return `<a href="${escape(String(attrs['href']))}">${html}</a>`;
  return wrap(MARKS[type] ?? 'span', html);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escape = (plain: string): string => plain.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
