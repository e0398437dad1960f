// Turns the content of a document of Google Docs into Markdown.
import {
  type Block,
  type Paragraph,
  type ParagraphElement,
  type TabContent,
  textIn,
  type TextStyle,
} from './document.ts';
import { QUOTE_INDENT } from './from-markdown.ts';

const MONOSPACED = /mono|courier|consolas/i;
const HEADINGS: Readonly<Record<string, string>> = {
  TITLE: '# ',
  HEADING_1: '# ',
  HEADING_2: '## ',
  HEADING_3: '### ',
  HEADING_4: '#### ',
  HEADING_5: '##### ',
  HEADING_6: '###### ',
};
const UNNUMBERED = new Set(['', 'NONE', 'GLYPH_TYPE_UNSPECIFIED']);

interface Part {
  kind: 'item' | 'code' | 'quote' | 'other';
  text: string;
}

export function toMarkdown(tab: TabContent): string {
  const notes = new Map<string, string>();
  const body = blocksToMarkdown(tab.body.content, tab, notes);
  const footnotes = [...notes].map(([id, number]) => {
    const words = blocksToMarkdown(tab.footnotes[id]?.content ?? [], tab, new Map());
    return `[^${number}]: ${words.replace(/\s+/g, ' ').trim()}`;
  });
  return [body, ...footnotes].filter((part) => part !== '').join('\n\n');
}

function blocksToMarkdown(blocks: readonly Block[], tab: TabContent, notes: Map<string, string>): string {
  const lists = createLists(tab);
  const parts = blocks.flatMap(({ paragraph, table }): Part[] => {
    if (table !== undefined) return [{ kind: 'other', text: tableOf(table, tab, notes) }];
    return paragraph === undefined ? [] : [paragraphOf(paragraph, { tab, notes, lists })];
  });
  let markdown = '';
  let last: Part | undefined;
  for (const part of parts.filter(({ text }) => text !== '')) {
    const isSame = part.kind === last?.kind;
    markdown += last === undefined ? '' : isSame && part.kind === 'item' ? '\n' : '\n\n';
    if (isSame && part.kind === 'code') {
      // Lines of code are often paragraphs of their own.
      markdown = `${markdown.slice(0, -'\n```\n\n'.length)}\n${part.text.slice('```\n'.length)}`;
    } else if (isSame && part.kind === 'quote') markdown = `${markdown.slice(0, -1)}>\n${part.text}`;
    else markdown += part.text;
    last = part;
  }
  return markdown;
}

interface Lists {
  /** The marker of the next item of a list, after its indentation. */
  next(bullet: NonNullable<Paragraph['bullet']>): { indent: string; marker: string };
}

function createLists({ lists }: TabContent): Lists {
  const numbers = new Map<string, number[]>();
  let widths: number[] = [];
  return {
    next({ listId, nestingLevel: level }) {
      const glyph = lists[listId]?.listProperties.nestingLevels[level]?.glyphType ?? '';
      const counts = (numbers.get(listId) ?? []).slice(0, level + 1);
      const number = (counts[level] ?? 0) + 1;
      counts[level] = number;
      numbers.set(listId, counts);
      const marker = UNNUMBERED.has(glyph) ? '- ' : `${number}. `;
      const indent = ' '.repeat(
        Array.from({ length: level }, (_, at) => widths[at] ?? 2).reduce((sum, width) => sum + width, 0),
      );
      widths = [...widths.slice(0, level), marker.length];
      return { indent, marker };
    },
  };
}

interface Around {
  tab: TabContent;
  notes: Map<string, string>;
  lists: Lists;
}

function paragraphOf(paragraph: Paragraph, { tab, notes, lists }: Around): Part {
  const { elements, paragraphStyle, bullet } = paragraph;
  const plain = textIn(paragraph);
  const hasBorder = (paragraphStyle.borderBottom?.width?.magnitude ?? 0) > 0;
  if (elements.some(({ horizontalRule }) => horizontalRule !== undefined) || (plain === '' && hasBorder))
    return { kind: 'other', text: '---' };
  if (plain.trim() === '') return { kind: 'other', text: '' };
  const heading = HEADINGS[paragraphStyle.namedStyleType];
  if (heading !== undefined) {
    const words = inlineOf(elements, { tab, notes, isHeading: true });
    return { kind: 'other', text: `${heading}${words.replace(/\s+/g, ' ').trim()}` };
  }
  if (bullet !== undefined) {
    const { indent, marker } = lists.next(bullet);
    const inner = `\n${indent}${' '.repeat(marker.length)}`;
    const words = inlineOf(elements, { tab, notes }).trim().replaceAll('\n', inner);
    return { kind: 'item', text: `${indent}${marker}${words}` };
  }
  if (elements.every(({ textRun }) => textRun !== undefined && isCode(textRun)))
    return { kind: 'code', text: `\`\`\`\n${plain.replaceAll('\u000b', '\n')}\n\`\`\`` };
  const words = inlineOf(elements, { tab, notes })
    .trim()
    .replace(/^([#>+-]|\d+(?=[.)]\s))(?=\s|[.)])/gm, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])(?=\s)/gm, '$1\\$2');
  return (paragraphStyle.indentStart?.magnitude ?? 0) >= QUOTE_INDENT
    ? { kind: 'quote', text: `> ${words.replaceAll('\n', '\n> ')}` }
    : { kind: 'other', text: words };
}

/** A line break at the end of a paragraph may have another font. */
function isCode({ content, textStyle }: NonNullable<ParagraphElement['textRun']>): boolean {
  return content.trim() === '' || MONOSPACED.test(textStyle.weightedFontFamily?.fontFamily ?? '');
}

interface Inline {
  tab: TabContent;
  notes: Map<string, string>;
  isHeading?: boolean;
}

function inlineOf(elements: readonly ParagraphElement[], around: Inline): string {
  const runs: { text: string; style?: TextStyle | undefined }[] = [];
  for (const element of elements) {
    const style = element.textRun?.textStyle;
    const text = element.textRun?.content ?? thingOf(element, around);
    const last = runs.at(-1);
    if (last?.style && style && signsOf(last.style) === signsOf(style)) last.text += text;
    else runs.push({ text, style });
  }
  return runs
    .map(({ text, style }) => (style === undefined ? text : marked(text, style, around.isHeading === true)))
    .join('');
}

const signsOf = (style: TextStyle): string =>
  JSON.stringify([style.bold, style.italic, style.strikethrough, style.link?.url, isMono(style)]);

const isMono = (style: TextStyle): boolean => MONOSPACED.test(style.weightedFontFamily?.fontFamily ?? '');

/** White space stays outside of the signs, which would not work beside it. */
function marked(text: string, style: TextStyle, isHeading: boolean): string {
  const [, before = '', words = '', after = ''] =
    /^(\s*)(.*?)(\s*)$/s.exec(text.replaceAll('\u000b', '\n')) ?? [];
  if (words === '') return `${before}${after}`;
  let inner = isMono(style) ? `\`${words}\`` : words.replace(/[\\`*]/g, String.raw`\$&`);
  if (style.strikethrough === true) inner = `~~${inner}~~`;
  if (style.italic === true) inner = `*${inner}*`;
  if (style.bold === true && !isHeading) inner = `**${inner}**`;
  if (style.link?.url !== undefined) inner = `[${inner}](${style.link.url})`;
  return `${before}${inner}${after}`;
}

function thingOf(element: ParagraphElement, { tab, notes }: Inline): string {
  const { inlineObjectElement, footnoteReference, person, richLink, dateElement } = element;
  if (inlineObjectElement !== undefined) {
    const found = tab.inlineObjects[inlineObjectElement.inlineObjectId];
    const { title, description, imageProperties } = found?.inlineObjectProperties.embeddedObject ?? {};
    return `![${title ?? description ?? 'image'}](${imageProperties?.contentUri ?? ''})`;
  }
  if (footnoteReference !== undefined) {
    notes.set(footnoteReference.footnoteId, footnoteReference.footnoteNumber);
    return `[^${footnoteReference.footnoteNumber}]`;
  }
  if (person !== undefined) {
    const { name, email } = person.personProperties;
    return `[${name ?? email}](mailto:${email})`;
  }
  if (richLink !== undefined)
    return `[${richLink.richLinkProperties.title}](${richLink.richLinkProperties.uri})`;
  return dateElement?.dateElementProperties.displayText ?? '';
}

/** Markdown tables need a head, so the first row becomes the head. */
function tableOf({ tableRows }: NonNullable<Block['table']>, tab: TabContent, notes: Map<string, string>) {
  const lines = tableRows.map(({ tableCells }) => {
    const cells = tableCells.map(({ content }) =>
      blocksToMarkdown(content, tab, notes)
        .replace(/\s+/g, ' ')
        .trim()
        .replaceAll('|', String.raw`\|`),
    );
    return `| ${cells.join(' | ')} |`;
  });
  const columns = tableRows[0]?.tableCells.length ?? 0;
  return [lines[0] ?? '', `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n');
}
