// Writes the place after which a page goes on, and reads it again. Nobody has to read an e-mail address in a URL.
import { base64url } from 'jose';
import * as z from 'zod';
import { HAS_NO_CONTROL } from './shown-text.ts';

const MAX_CHARACTERS = 4_096;
const decoder = new TextDecoder('utf-8', { fatal: true });

export const toCursor = (place: string): string => base64url.encode(place);

export const Cursor = z
  .string()
  .max(MAX_CHARACTERS)
  .transform((text, context) => {
    const place = readCursor(text);
    if (place !== null) return place;
    context.addIssue({ code: 'custom', message: 'must be a nextCursor of an earlier response' });
    return z.NEVER;
  });

function readCursor(text: string): string | null {
  try {
    const place = decoder.decode(base64url.decode(text));
    return HAS_NO_CONTROL.test(place) ? place : null;
  } catch {
    return null;
  }
}

/** `rows` are one more than a page where there is another page. */
export function toPage<R>(rows: readonly R[], limit: number, placeOf: (row: R) => string) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isLast = rows.length <= limit || last === undefined;
  return { shown, ...(isLast ? {} : { nextCursor: toCursor(placeOf(last)) }) };
}
