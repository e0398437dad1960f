// Turns HTML into text for reading, in one pass over the tags. Linear in the length of the page, whatever it
// contains.
import { decodeEntities } from './entities.ts';

export interface HtmlText {
  title: string;
  text: string;
}

const DROPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'head',
  'iframe',
  'object',
  'select',
  'textarea',
  'title',
]);
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'aside',
  'nav',
  'ul',
  'ol',
  'table',
  'tr',
  'blockquote',
  'figure',
  'form',
  'dl',
  'dt',
  'dd',
  'hr',
  'br',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
]);
export function toText(html: string, markdown = false): HtmlText {
  const title = decodeEntities(/<title(?:\s[^<>]*)?>([^<]{0,500})/i.exec(html)?.[1] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const writer: Writer = { parts: [], links: [], sections: [], isCode: false, markdown };
  let position = 0;
  while (position < html.length) {
    const open = html.indexOf('<', position);
    const text = html.slice(position, open === -1 ? html.length : open);
    writer.parts.push(writer.isCode ? text.replaceAll('\r\n', '\n') : text.replace(/\s+/g, ' '));
    if (open === -1) break;
    position = readTag(html, open, writer);
  }
  endSection(writer);
  return { title, text: writer.sections.filter((section) => section !== '').join('\n\n') };
}

interface Writer {
  /** The text of the section that is being read. */
  parts: string[];
  links: string[];
  /** The sections before: alternately text and the content of a `pre`. */
  sections: string[];
  /** Inside a `pre`, where white space counts. */
  isCode: boolean;
  markdown: boolean;
}

/** Handles one tag, and returns the position after it. */
function readTag(html: string, open: number, writer: Writer): number {
  const { parts, links, markdown } = writer;
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  const end = tagEnd(html, open + 1);
  const tag = html.slice(open + 1, end - 1);
  const name = /^\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
  const closing = tag.startsWith('/');
  if (!closing && DROPPED.has(name)) return tag.endsWith('/') ? end : afterElement(html, name, end);
  if (name === 'pre') {
    endSection(writer);
    writer.isCode = !closing;
    return end;
  }
  if (writer.isCode) {
    // A block inside a `pre` is a line, and may end with its own line break.
    const isLine = name === 'br' || (closing && BLOCKS.has(name) && parts.at(-1)?.endsWith('\n') !== true);
    if (isLine) parts.push('\n');
    return end;
  }
  if (BLOCKS.has(name)) parts.push('\n');
  if (name === 'td' || name === 'th') parts.push(' ');
  if (!markdown) return end;
  if (/^h[1-6]$/.test(name) && !closing) parts.push(`\n${'#'.repeat(Number(name[1]))} `);
  if (name === 'li' && !closing) parts.push('- ');
  if (name === 'a' && !closing) {
    links.push(/\bhref\s*=\s*["']?([^"'\s>]{1,2000})/i.exec(tag)?.[1] ?? '');
    parts.push('[');
  }
  if (name === 'a' && closing) parts.push(`](${links.pop() ?? ''})`);
  return end;
}

function endSection({ parts, sections, isCode, markdown }: Writer): void {
  const text = decodeEntities(parts.splice(0).join(''));
  if (!isCode) return void sections.push(tidy(text));
  const code = text.replace(/^\n/, '').trimEnd();
  sections.push(markdown && code !== '' ? `\`\`\`\n${code}\n\`\`\`` : code);
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** Skips to the end tag of an element whose content is not for reading. */
function afterElement(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?![\\w-])`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html) === null ? html.length : after(html, '>', pattern.lastIndex);
}

/**
 * Skips to the `>` that ends a tag. A `>` in a quoted value does not end it; an unclosed quote does not
 * quote.
 */
function tagEnd(html: string, from: number): number {
  const step = /[^>=]*(?:>|=\s*(?:"[^"]*"|'[^']*')?)/y;
  step.lastIndex = from;
  for (;;) {
    const piece = step.exec(html)?.[0];
    if (piece === undefined) return html.length;
    if (!piece.includes('=')) return step.lastIndex;
  }
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[ \t]+/g, ' ').trim());
  const kept = lines.filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '');
  return kept
    .filter((line) => line !== '-' && line !== '[]()')
    .join('\n')
    .trim();
}
