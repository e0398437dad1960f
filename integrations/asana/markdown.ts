// Shows the rich text of answers as Markdown.
import { fromRichText } from './rich-text.ts';

const NAMES: Record<string, string> = { html_notes: 'notes', html_text: 'text' };

/** Replaces the rich text of a result, or of each result of a page. */
export function withMarkdown(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(withMarkdown);
  if (typeof payload !== 'object' || payload === null) return payload;
  if ('results' in payload) return { ...payload, results: withMarkdown(payload.results) };
  const shown = Object.entries(payload).map(([name, value]) => {
    const plain = NAMES[name];
    return plain === undefined || typeof value !== 'string' ? [name, value] : [plain, fromRichText(value)];
  });
  return Object.fromEntries(shown);
}
