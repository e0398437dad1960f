// Renders the value of a meta-tool as MCP content: one text, truncated at the cap, or images. reference: Result rendering
import * as z from 'zod';
import type { Ports } from '../ports/ports.ts';
import type { StoredResults } from './stored-results.ts';
import { describe } from '../http/errors.ts';
import { RESULT_CHARACTERS } from '../config/limits.ts';
import { isHighSurrogate } from './result-page.ts';

export type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
export type Render = (userId: string, value: unknown) => Promise<Content[]>;

// Only an image with valid base64 and an image type becomes image content. decision: 023
const Image = z.object({ data: z.base64().min(1), mimeType: z.string().regex(/^image\/[\w.+-]+$/) });
type Image = z.infer<typeof Image>;

export function createRender({ results, log }: Pick<Ports, 'log'> & { results: StoredResults }): Render {
  async function notice(userId: string, json: string): Promise<string> {
    const advice = 'Narrow the request (limit, fields, pagination)';
    const shown = `[Truncated: ${json.length} characters in total, the first ${RESULT_CHARACTERS} are shown.`;
    try {
      const handle = await results.save(userId, json);
      return `${shown} ${advice}, or read the whole result with read_result {"handle":"${handle}"}.]`;
    } catch (error) {
      log.write('error', 'result not stored', describe(error));
      return `${shown} ${advice}.]`;
    }
  }

  return async function render(userId, value) {
    const images = findImages(value);
    if (images.length > 0) return images.map(({ data, mimeType }) => ({ type: 'image', data, mimeType }));
    const json = toJson(value);
    if (json.length <= RESULT_CHARACTERS) return [{ type: 'text', text: json }];
    // The cut never splits a surrogate pair. decision: 023
    const end = isHighSurrogate(json.charCodeAt(RESULT_CHARACTERS - 1))
      ? RESULT_CHARACTERS - 1
      : RESULT_CHARACTERS;
    return [{ type: 'text', text: `${json.slice(0, end)}\n\n${await notice(userId, json)}` }];
  };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify({ error: 'The result could not be written as JSON' });
  }
}

/** Finds `_mcpImage` at the top, under a `result` wrapper, or in any item of a `results` array. */
function findImages(value: unknown): Image[] {
  if (typeof value !== 'object' || value === null) return [];
  const items = 'results' in value && Array.isArray(value.results) ? value.results : [];
  return [value, ...items].flatMap((holder) => imageOf(holder) ?? imageOf(holder?.result) ?? []);
}

function imageOf(holder: unknown): Image | null {
  if (typeof holder !== 'object' || holder === null || !('_mcpImage' in holder)) return null;
  return Image.safeParse(holder._mcpImage).data ?? null;
}
