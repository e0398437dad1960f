// Converts Markdown to HTML and back: mail, events, tasks and chat messages are HTML.
import { createHtmlWriter } from '../html/from-markdown.ts';
import { toText } from '../html/to-text.ts';

export const toHtml = createHtmlWriter({ bold: 'b', italic: 'i', gap: '\n', numbersFromOne: true });

/** The body of an item as the API takes it. */
export const toBody = (markdown: string) => ({ contentType: 'html', content: toHtml(markdown) }) as const;

/** The text of an item, as Markdown where it is HTML. */
export function readBody(body: { contentType?: unknown; content?: unknown } | null | undefined): string {
  const content = typeof body?.content === 'string' ? body.content : '';
  return body?.contentType === 'html' ? toText(content, true).text : content.replaceAll('\r\n', '\n').trim();
}
