// Renders the value of a meta-tool as MCP content: one text, truncated at the cap, or images. reference: Result rendering
import * as z from 'zod';
import type { Ports } from '../ports/ports.ts';
import type { StoredResults } from './stored-results.ts';
import { describe } from '../http/errors.ts';
import { RESULT_CHARACTERS, STORED_RESULT_BYTES } from '../config/limits.ts';
import type { Caller } from '../kit/integration.ts';
import { createJsonPieces, isHighSurrogate, isLarge, type JsonPieces, Unwritable } from './json-pieces.ts';

export type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
export type Render = (
  userId: string,
  value: unknown,
  request?: Pick<Caller, 'lease' | 'signal'>,
) => Promise<Content[]>;

// Only an image with valid base64 and an image type becomes image content. decision: 023
const Image = z.object({ data: z.base64().min(1), mimeType: z.string().regex(/^image\/[\w.+-]+$/) });
type Image = z.infer<typeof Image>;

/** Each image is in the value, in the text of the answer and in its bytes. The value was charged when it was read. */
const IMAGE_COPIES = 2;
/** Other requests run after this many characters. */
const TURN_CHARACTERS = 1024 * 1024;
const UNWRITABLE = JSON.stringify({ error: 'The result could not be written as JSON' });

type Needs = Pick<Ports, 'clock' | 'log'> & { results: StoredResults };

export function createRender({ results, clock, log }: Needs): Render {
  /** Returns how to read on. */
  async function store(caller: Caller, pieces: JsonPieces): Promise<string> {
    try {
      const { handle, isWhole } = await results.save(caller, pieces);
      const call = `read_result {"handle":"${handle}"}`;
      return isWhole
        ? `, or read the whole result with ${call}`
        : `, or read the first ${STORED_RESULT_BYTES / 1024 ** 2} MiB with ${call}; the rest was not kept`;
    } catch (error) {
      log.write('error', 'result not stored', describe(error));
      return '';
    }
  }

  /** Counts what was not stored. */
  async function countRest(pieces: JsonPieces): Promise<void> {
    let pause = pieces.characters + TURN_CHARACTERS;
    while (pieces.next() !== null) {
      if (pieces.characters < pause) continue;
      pause = pieces.characters + TURN_CHARACTERS;
      await clock.turn();
    }
  }

  async function toText(caller: Caller, value: unknown): Promise<string> {
    const text = beginningOf(value);
    if (text.length <= RESULT_CHARACTERS) return text;
    // The cut never splits a surrogate pair. decision: 023
    const end = isHighSurrogate(text.charCodeAt(RESULT_CHARACTERS - 1))
      ? RESULT_CHARACTERS - 1
      : RESULT_CHARACTERS;
    const pieces = createJsonPieces(value);
    const howToRead = await store(caller, pieces);
    await countRest(pieces);
    const shown = `[Truncated: ${pieces.characters} characters in total, the first ${RESULT_CHARACTERS} are shown.`;
    const advice = 'Narrow the request (limit, fields, pagination)';
    return `${text.slice(0, end)}\n\n${shown} ${advice}${howToRead}.]`;
  }

  return async function render(userId, value, { lease, signal } = {}) {
    const images = findImages(value);
    if (images.length > 0) {
      for (const { data } of images) lease?.charge(data.length * IMAGE_COPIES);
      await lease?.waitForSpace(signal);
      return images.map(({ data, mimeType }) => ({ type: 'image', data, mimeType }));
    }
    try {
      return [{ type: 'text', text: await toText({ userId, lease, signal }, value) }];
    } catch (error) {
      if (error instanceof Unwritable) return [{ type: 'text', text: UNWRITABLE }];
      throw error;
    }
  };
}

/** Returns the whole text, or more of it than one answer shows. */
function beginningOf(value: unknown): string {
  const small = stringifySmall(value);
  if (small !== undefined) return small;
  const pieces = createJsonPieces(value);
  let text = '';
  while (text.length <= RESULT_CHARACTERS) {
    const piece = pieces.next();
    if (piece === null) return text;
    text += piece.text;
  }
  return text;
}

/** Most results are small, and JSON.stringify is faster than pieces. Returns undefined for all others. */
function stringifySmall(value: unknown): string | undefined {
  try {
    return isLarge(value) ? undefined : JSON.stringify(value);
  } catch {
    return undefined;
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
