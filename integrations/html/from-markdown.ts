// Turns Markdown into HTML, for products whose rich text is HTML.
import { readMarkdown } from '../markdown/blocks.ts';
import type { Mark, MarkdownNode } from '../markdown/nodes.ts';
import { escapeHtml } from './escape.ts';

/** What products write in different ways. */
interface HtmlStyle {
  bold: 'strong' | 'b';
  italic: 'em' | 'i';
  /** Stands between the blocks of a text. */
  gap: '' | '\n';
  /** Whether an ordered list has the number of its first item although the number is 1. */
  numbersFromOne: boolean;
}

const TAGS: Readonly<Record<string, string>> = {
  blockquote: 'blockquote',
  bulletList: 'ul',
  table: 'table',
  tableRow: 'tr',
  tableHeader: 'th',
  tableCell: 'td',
};

export const toHtml = createHtmlWriter({ bold: 'strong', italic: 'em', gap: '', numbersFromOne: false });

export function createHtmlWriter({
  bold,
  italic,
  gap,
  numbersFromOne,
}: HtmlStyle): (markdown: string) => string {
  const marksOf: Readonly<Record<string, string>> = { strong: bold, em: italic, strike: 's', code: 'code' };

  const inside = ({ content = [] }: MarkdownNode): string => content.map(write).join('');

  function write(node: MarkdownNode): string {
    const { type, text = '', marks = [], attrs = {} } = node;
    switch (type) {
      case 'text':
        return marks.reduceRight(wrap, escapeHtml(text));
      case 'hardBreak':
        return '<br>';
      case 'rule':
        return '<hr>';
      case 'heading':
        return `<h${String(attrs['level'])}>${inside(node)}</h${String(attrs['level'])}>`;
      case 'codeBlock':
        return `<pre><code>${inside(node)}</code></pre>`;
      case 'orderedList': {
        const start = attrs['order'] === 1 && !numbersFromOne ? '' : ` start="${String(attrs['order'])}"`;
        return `<ol${start}>${inside(node)}</ol>`;
      }
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
  function tight({ content = [] }: MarkdownNode): string {
    const [first, ...rest] = content;
    if (first?.type !== 'paragraph') return content.map(write).join('');
    return inside(first) + rest.map(write).join('');
  }

  function wrap(html: string, { type, attrs = {} }: Mark): string {
    if (type === 'link') return `<a href="${escapeHtml(String(attrs['href']))}">${html}</a>`;
    const tag = marksOf[type];
    return tag === undefined ? html : `<${tag}>${html}</${tag}>`;
  }

  return (markdown) => readMarkdown(markdown).map(write).join(gap);
}
