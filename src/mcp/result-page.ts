// Cuts one page out of a value at a JSON Pointer. A page is valid JSON and fits into one answer.
import { isObject } from '../json/json.ts';
import { escapePointer, resolvePointer } from '../json/pointer.ts';
import { RESULT_CHARACTERS } from '../config/limits.ts';

export interface PageRequest {
  path: string;
  offset: number;
  limit: number | undefined;
}

export type ResultPage = { value: unknown; total?: number; nextOffset?: number } | { error: string };

/** Reserved for the members of the answer other than the value. */
const ENVELOPE_CHARACTERS = 200;
const MAX_VALUE_CHARACTERS = RESULT_CHARACTERS - ENVELOPE_CHARACTERS;
/** The upstream chooses the keys of a result, so they can be long. */
const MAX_NAME_LENGTH = 2_000;

export function readPage(
  root: unknown,
  { path, offset, limit = Number.MAX_SAFE_INTEGER }: PageRequest,
): ResultPage {
  const found = resolvePointer(root, path);
  if (found === null)
    return {
      error: `There is nothing at ${path.slice(0, 200)}: path is a JSON Pointer, empty or starting with /`,
    };
  const { value } = found;
  if (typeof value === 'string') return stringPage(value, offset, limit);
  if (Array.isArray(value)) {
    const shown = fit(
      value.slice(offset, offset + limit),
      (item, index) => outline(item, `${path}/${offset + index}`),
      1,
    );
    return page(shown, value.length, offset, shown.length);
  }
  if (isObject(value)) {
    const members = Object.entries(value);
    const shown = fit(
      members.slice(offset, offset + limit),
      ([key, member], index): [string, unknown] => [
        isLong(key) ? `member ${offset + index}, its key of ${key.length} characters is not shown` : key,
        outline(member, `${path}/${escapePointer(key)}`),
      ],
      1,
    );
    return page(Object.fromEntries(shown), members.length, offset, shown.length);
  }
  return { value };
}

function page(value: unknown, total: number, offset: number, shown: number): ResultPage {
  const next = offset + shown;
  return next < total ? { value, total, nextOffset: next } : { value, total };
}

/** Takes as many items as fit together, and always the first one. */
function fit<T, R>(items: readonly T[], show: (item: T, index: number) => R, separator: number): R[] {
  const shown: R[] = [];
  let used = 0;
  for (const [index, item] of items.entries()) {
    const next = show(item, index);
    used += JSON.stringify(next).length + separator;
    if (used > MAX_VALUE_CHARACTERS && shown.length > 0) break;
    shown.push(next);
  }
  return shown;
}

/** Replaces a member that is too large for one page by its kind and the path to read it at. */
function outline(value: unknown, path: string): unknown {
  if (JSON.stringify(value).length <= MAX_VALUE_CHARACTERS / 2) return value;
  const kind = Array.isArray(value)
    ? `array of ${value.length} items`
    : isObject(value)
      ? `object of ${Object.keys(value).length} members`
      : `string of ${String(value).length} characters`;
  return isLong(path) ? { cut: kind } : { cut: kind, readAt: path };
}

function isLong(name: string): boolean {
  return name.length > MAX_NAME_LENGTH || JSON.stringify(name).length > MAX_NAME_LENGTH;
}

function stringPage(text: string, offset: number, limit: number): ResultPage {
  let end = Math.min(text.length, offset + limit);
  // Escapes make the JSON longer than the text, so this halves the text until the JSON fits.
  while (end > offset + 1 && JSON.stringify(text.slice(offset, end)).length > MAX_VALUE_CHARACTERS)
    end = offset + Math.ceil((end - offset) / 2);
  // A surrogate pair stays whole, even when only one of its units would fit.
  if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += end > offset + 1 ? -1 : 1;
  return page(text.slice(offset, end), text.length, offset, end - offset);
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
