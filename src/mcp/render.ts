// Renders the value of a meta-tool as MCP content: one text, truncated at the cap, or images. reference: Result rendering
import * as z from 'zod';
import type { Ports } from '../ports/ports.ts';
import type { StoredResults } from '../calls/results/stored-results.ts';
import { describe } from '../http/errors.ts';
import { RESULT_CHARACTERS, STORED_RESULT_BYTES } from '../calls/results/limits.ts';
import type { Caller, KnownCaller } from '../kit/integration.ts';
import { isObject } from '../json/json.ts';
import { andThen } from '../memory/and-then.ts';
import { SHOWN_WHOLE } from '../calls/results/result-page.ts';
import { cutAtWholeItems, firstHidden } from '../calls/results/whole-items.ts';
import {
  createJsonPieces,
  isHighSurrogate,
  isLarge,
  type JsonPieces,
  Unwritable,
} from '../calls/results/json-pieces.ts';

export type Content =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string }
  | { type: 'resource'; resource: { uri: string; text: string; mimeType?: string } };
export interface Rendered {
  content: Content[];
  /** Set when every execution of the call failed. MCP 2025-11-25, Error Handling */
  isError?: true;
  /** The value that fits the schema which its tool declares. */
  structuredContent?: Record<string, unknown> | undefined;
  /** What the server of an imported tool says to its page. */
  _meta?: Record<string, unknown>;
}
/** A caller, and the tools that its value is from. */
type Receiver = Pick<KnownCaller, 'userId' | 'actor' | 'lease' | 'signal'> & { tools: () => string[] };

export type Render = (
  caller: Pick<KnownCaller, 'userId' | 'actor'>,
  value: unknown,
  request?: Pick<Caller, 'lease' | 'signal'> & { maxChars?: number | undefined; tools?: () => string[] },
) => Rendered | Promise<Rendered>;

// Only an image with valid base64 and an image type becomes image content. decision: 031
const Image = z.object({ data: z.base64().min(1), mimeType: z.string().regex(/^image\/[\w.+-]+$/) });
type Image = z.infer<typeof Image>;

/** Each image is in the value, in the text of the answer and in its bytes. The value was charged when it was read. */
const IMAGE_COPIES = 2;
/** Other requests run after this many characters. */
const TURN_CHARACTERS = 1024 * 1024;
/** The upstream chooses the keys of a result, so a path can be long. */
const MAX_PATH_LENGTH = 500;
const UNWRITABLE = JSON.stringify({ error: 'The result could not be written as JSON' });

type Needs = Pick<Ports, 'clock' | 'log'> & { results: StoredResults };

export function createRender({ results, clock, log }: Needs): Render {
  /** Returns null when the result could not be stored. */
  async function store(caller: Receiver, pieces: JsonPieces): Promise<Stored | null> {
    try {
      return await results.save(caller, pieces, caller.tools());
    } catch (error) {
      log.write('error', 'result not stored', describe(error));
      return null;
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

  async function toText(caller: Receiver, value: unknown): Promise<string> {
    const text = beginningOf(value);
    if (text.length <= RESULT_CHARACTERS) return text;
    // The cut never splits a surrogate pair. decision: 031
    const end = isHighSurrogate(text.charCodeAt(RESULT_CHARACTERS - 1))
      ? RESULT_CHARACTERS - 1
      : RESULT_CHARACTERS;
    const pieces = createJsonPieces(value);
    const stored = await store(caller, pieces);
    await countRest(pieces);
    const shown = `[Truncated: ${pieces.characters} characters in total, the first ${RESULT_CHARACTERS} are shown.`;
    const advice = 'Narrow the request (limit, fields, pagination)';
    return `${text.slice(0, end)}\n\n${shown} ${advice}${howToRead(stored, value, end)}.]`;
  }

  async function toWholeItems(caller: Receiver, value: unknown, maxChars: number): Promise<string> {
    const text = beginningOf(value);
    if (text.length <= maxChars) return text;
    const stored = await store(caller, createJsonPieces(value));
    return cutAtWholeItems(value, maxChars, continuationOf(stored));
  }

  function toContent(
    caller: Receiver,
    value: unknown,
    maxChars: number | undefined,
  ): Content | Promise<Content> {
    const text = stringifySmall(value);
    return text !== undefined && text.length <= (maxChars ?? RESULT_CHARACTERS)
      ? { type: 'text', text }
      : toLongContent(caller, value, maxChars);
  }

  async function toLongContent(
    caller: Receiver,
    value: unknown,
    maxChars: number | undefined,
  ): Promise<Content> {
    try {
      const text = await (maxChars === undefined
        ? toText(caller, value)
        : toWholeItems(caller, value, maxChars));
      return { type: 'text', text };
    } catch (error) {
      if (error instanceof Unwritable) return { type: 'text', text: UNWRITABLE };
      throw error;
    }
  }

  return function render({ userId, actor }, value, { lease, signal, maxChars, tools = NO_TOOLS } = {}) {
    const caller = { userId, actor, lease, signal, tools };
    const images = findImages(value);
    if (images.length > 0) return renderImages(caller, value, images, maxChars);
    return andThen(toContent(caller, value, maxChars), (content) =>
      hasOnlyErrors(value) ? { content: [content], isError: true } : { content: [content] },
    );
  };

  async function renderImages(
    caller: Receiver,
    value: unknown,
    images: readonly Image[],
    maxChars: number | undefined,
  ): Promise<Rendered> {
    const { lease, signal } = caller;
    for (const { data } of images) lease?.charge(data.length * IMAGE_COPIES);
    await lease?.waitForSpace(signal);
    const content: Content[] = images.map(({ data, mimeType }) => ({ type: 'image', data, mimeType }));
    const others = replaceImages(value);
    if (others !== null) content.push(await toContent(caller, others, maxChars));
    return { content };
  }
}

const NO_TOOLS = (): string[] => [];

type Stored = Awaited<ReturnType<StoredResults['save']>>;

const KEPT = `the first ${STORED_RESULT_BYTES / 1024 ** 2} MiB`;

/** Returns the end of the notice: how to read the rest of a value of which `end` characters are shown. */
function howToRead(stored: Stored | null, value: unknown, end: number): string {
  if (stored === null) return '';
  const { handle, isWhole } = stored;
  const { path, offset } = firstHidden(value, end, SHOWN_WHOLE);
  const all = `read_result {"handle":"${handle}"}`;
  const next = `read_result ${JSON.stringify({ handle, path, offset })}`;
  const rest =
    path.length > MAX_PATH_LENGTH ? '' : `. Continue with the first item that is not shown whole: ${next}`;
  return isWhole
    ? `, or read the whole result with ${all}${rest}`
    : `, or read ${KEPT} with ${all}; the rest was not kept${rest}`;
}

function continuationOf(stored: Stored | null): { handle?: string; note?: string } {
  if (stored === null) return { note: 'The rest could not be stored. Narrow the request' };
  const { handle, isWhole } = stored;
  return isWhole ? { handle } : { handle, note: `Only ${KEPT} were kept` };
}

/** Whether the value is that of a batch of which nothing succeeded. */
function hasOnlyErrors(value: unknown): boolean {
  const items = resultsOf(value);
  return items.length > 0 && items.every((item) => isObject(item) && 'error' in item);
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
  return [...imageIn(value), ...resultsOf(value).flatMap(imagesIn)];
}

function imageIn(holder: unknown): Image[] {
  const image = imageOf(holder) ?? (isObject(holder) ? imageOf(holder['result']) : null);
  return image === null ? [] : [image];
}

/** The result of an imported tool is often a list of texts and images. */
function imagesIn(item: unknown): Image[] {
  const result = isObject(item) ? item['result'] : undefined;
  return Array.isArray(result) ? result.flatMap((block) => imageOf(block) ?? []) : imageIn(item);
}

function resultsOf(value: unknown): unknown[] {
  return isObject(value) && Array.isArray(value['results']) ? value['results'] : [];
}

/** Puts the number of each image of a batch in its place. Returns null when the batch holds images alone. */
function replaceImages(value: unknown): unknown {
  const items = resultsOf(value);
  if (!isObject(value) || items.every(isImage)) return null;
  let count = 0;
  const next = () => ++count;
  return { ...value, results: items.map((item) => numberImages(item, next)) };
}

/** An item with a list has other blocks beside its images. */
function isImage(item: unknown): boolean {
  return imagesIn(item).length > 0 && !(isObject(item) && Array.isArray(item['result']));
}

function numberImages(item: unknown, next: () => number): unknown {
  if (!isObject(item) || imagesIn(item).length === 0) return item;
  const { result } = item;
  if (Array.isArray(result)) {
    const blocks = result.map((block) =>
      isObject(block) && imageOf(block) !== null ? { ...block, _mcpImage: next() } : block,
    );
    return { ...item, result: blocks };
  }
  return isObject(result)
    ? { ...item, result: { ...result, _mcpImage: next() } }
    : { ...item, _mcpImage: next() };
}

function imageOf(holder: unknown): Image | null {
  if (typeof holder !== 'object' || holder === null || !('_mcpImage' in holder)) return null;
  return Image.safeParse(holder._mcpImage).data ?? null;
}
