// Reads a request's body as text and never takes more than the limit into memory.
import type { Context } from 'hono';
import { HttpError } from './errors.ts';
import { hasMoreValues, parseJson } from '../json/json.ts';
import { BODY_BYTES, BODY_VALUES } from './limits.ts';
import { HEAVY_TEXT, UNCOUNTED_REQUEST_BYTES } from '../memory/limits.ts';
import type { Lease, MemoryBudget } from '../memory/budget.ts';
import type { HeavyTurn } from '../memory/heavy-turns.ts';

/**
 * Reads a body of up to `limit` bytes within the memory budget and passes it to `use`. The lease of the request is open
 * until `use` is done, so `use` may charge more to it.
 */
export type ReadLargeBody = <T>(
  c: Context,
  userId: string,
  use: (text: string, lease: Lease) => T | Promise<T>,
  limit?: number,
) => Promise<T>;

export function createReadLargeBody({
  heavyTurn,
  memoryBudget,
}: {
  heavyTurn: HeavyTurn;
  memoryBudget: MemoryBudget;
}): ReadLargeBody {
  return async function readLargeBody(c, userId, use, limit = BODY_BYTES) {
    const lease = memoryBudget.open(userId);
    try {
      return await use(await readText(c, limit, lease, heavyTurn), lease);
    } finally {
      lease.close();
    }
  };
}

/**
 * Throws 413 for a body beyond the limit, before it reads anything when the length is announced, and for a JSON text
 * with too many values. Throws 400 when the caller breaks off.
 */
export async function readText(
  c: Context,
  limit: number,
  lease?: Lease,
  heavyTurn?: HeavyTurn,
): Promise<string> {
  const announced = c.req.header('content-length');
  const hasLength = announced !== undefined && c.req.header('transfer-encoding') === undefined;
  if (hasLength && Number(announced) > limit) throw tooLarge(limit);
  const isUncounted = lease === undefined || Number(announced) <= UNCOUNTED_REQUEST_BYTES;
  let text: string;
  try {
    text = hasLength && isUncounted ? await c.req.text() : await readStream(c.req.raw, limit, lease);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    // Only the sender can end a body too early, so the gateway has not failed.
    throw new HttpError(400, { error: 'The request body broke off' });
  }
  if (text.length >= HEAVY_TEXT && lease !== undefined) await heavyTurn?.(lease.userId);
  // Validating millions of values, with a message for each wrong one, would take seconds and gigabytes.
  if (hasMoreValues(text, BODY_VALUES))
    throw new HttpError(413, { error: `The request body has more than ${BODY_VALUES} values` });
  return text;
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

/** A hint for the error about a body that is not JSON. RFC 9110 §8.4 */
export function howToSend(c: Context): string {
  return c.req.header('content-encoding') === undefined
    ? ''
    : ': send it uncompressed, without Content-Encoding';
}

const SMALL_BODY_BYTES = 64 * 1024;

/** Reads a small JSON body. Undefined when the body is not JSON. */
export async function readJsonBody(c: Context): Promise<unknown> {
  return parseJson(await readText(c, SMALL_BODY_BYTES));
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, { error: `The request body is larger than ${limit} bytes` });
}
