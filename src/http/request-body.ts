// A request's body as text, never more than the limit in memory.
import type { Context } from 'hono';
import { HttpError } from './errors.ts';
import { hasMoreValues, parseJson } from '../json/json.ts';
import { BODY_VALUES, UNCOUNTED_REQUEST_BYTES } from '../config/limits.ts';
import type { Lease, MemoryBudget } from '../memory/budget.ts';

/**
 * Throws 413 as soon as the limit is passed, before reading when the length is announced, and for JSON of too many
 * values; 400 for a caller who leaves.
 */
export async function readText(c: Context, limit: number, lease?: Lease): Promise<string> {
  const text = await readWhole(c, limit, lease);
  // To judge each of millions, and to say of each that it is wrong, takes seconds and gigabytes.
  if (hasMoreValues(text, BODY_VALUES))
    throw new HttpError(413, { error: `The request body has more than ${BODY_VALUES} values` });
  return text;
}

async function readWhole(c: Context, limit: number, lease?: Lease): Promise<string> {
  const announced = c.req.header('content-length');
  const isWhole = announced !== undefined && c.req.header('transfer-encoding') === undefined;
  if (isWhole && Number(announced) > limit) throw tooLarge(limit);
  try {
    if (isWhole && (lease === undefined || Number(announced) <= UNCOUNTED_REQUEST_BYTES))
      return await c.req.text();
    return await readStream(c.req.raw, limit, lease);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    // Nothing but its sender can end a body too early: no failure of the gateway's.
    throw new HttpError(400, { error: 'The request body broke off' });
  }
}

interface Source {
  body: ReadableStream<Uint8Array> | null;
  signal?: AbortSignal | undefined;
}

export async function readStream({ body, signal }: Source, limit: number, lease?: Lease): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
    lease?.chargeRead(chunk);
    await lease?.waitForSpace(signal);
  }
  return text + decoder.decode();
}

/** One that is let go as soon as it is parsed. */
export async function readTextOf(
  userId: string,
  memoryBudget: MemoryBudget,
  c: Context,
  limit: number,
): Promise<string> {
  const lease = memoryBudget.open(userId);
  try {
    return await readText(c, limit, lease);
  } finally {
    lease.close();
  }
}

/** What to add where a body is no JSON. RFC 9110 §8.4 */
export function howToSend(c: Context): string {
  return c.req.header('content-encoding') === undefined ? '' : ': send it plain, without Content-Encoding';
}

const SMALL_BODY = 64 * 1024;

/** A small JSON body; undefined when it is none. */
export async function readJsonBody(c: Context): Promise<unknown> {
  return parseJson(await readText(c, SMALL_BODY));
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, { error: `The request body is larger than ${limit} bytes` });
}
