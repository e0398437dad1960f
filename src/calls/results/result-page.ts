// Cuts one page out of a value at a JSON Pointer. A page is valid JSON and fits into one answer.
import { isObject } from '../../json/json.ts';
import { escapePointer, resolvePointer } from '../../json/pointer.ts';
import { RESULT_CHARACTERS } from './limits.ts';
import { isHighSurrogate, type LargeKind } from './json-pieces.ts';

export interface PageRequest {
  path: string;
  offset: number;
  limit: number | undefined;
}

/** `path` is where the page is, when that is deeper than what was asked for. */
export type ResultPage =
  | { value: unknown; path?: string; total?: number; nextOffset?: number }
  | { error: string };

/** Reserved for the members of the answer other than the value. */
const ENVELOPE_CHARACTERS = 200;
const MAX_VALUE_CHARACTERS = RESULT_CHARACTERS - ENVELOPE_CHARACTERS;
/** A longer member of a page is replaced by its kind. */
export const SHOWN_WHOLE = MAX_VALUE_CHARACTERS / 2;
/** The upstream chooses the keys of a result, so they can be long. */
const MAX_NAME_LENGTH = 2_000;

export function readPage(root: unknown, request: PageRequest): ResultPage {
  const found = resolvePointer(root, request.path);
  return found === null ? nothingAt(request.path) : pageOf(found.value, request);
}

export function nothingAt(path: string): ResultPage {
  return {
    error: `There is nothing at ${path.slice(0, 200)}: path is a JSON Pointer, empty or starting with /`,
  };
}

/** Cuts a page out of a value that was found at the path. */
export function pageOf(value: unknown, request: PageRequest): ResultPage {
  let { path } = request;
  let deepest = value;
  for (let only = onlyMember(deepest); request.offset === 0 && only !== null; only = onlyMember(deepest)) {
    // A page of one member that is cut would only say where to read on.
    const below = `${path}/${escapePointer(only.key)}`;
    if (!isCutInPage(only.member) || isLong(below)) break;
    path = below;
    deepest = only.member;
  }
  return sayWhere(pageAt(deepest, { ...request, path }), path, request);
}

/** Adds the path of the page when that is not what was asked for. */
export function sayWhere(shown: ResultPage, path: string, asked: PageRequest): ResultPage {
  return 'error' in shown || 'path' in shown || path === asked.path ? shown : { path, ...shown };
}

function onlyMember(value: unknown): { key: string; member: unknown } | null {
  if (typeof value !== 'object' || value === null) return null;
  const [first, second] = Object.entries(value);
  return first === undefined || second !== undefined ? null : { key: first[0], member: first[1] };
}

function pageAt(value: unknown, request: PageRequest): ResultPage {
  const { offset } = request;
  if (typeof value === 'string')
    return textPage(value.slice(offset, textEnd(value.length, request) + 1), value.length, request);
  if (Array.isArray(value)) {
    const items = createMemberPage('array', request);
    for (const item of value.slice(offset)) if (!items.add('', item)) break;
    return items.finish(value.length);
  }
  if (isObject(value)) {
    const members = Object.entries(value);
    const shown = createMemberPage('object', request);
    for (const [key, member] of members.slice(offset)) if (!shown.add(key, member)) break;
    return shown.finish(members.length);
  }
  return { value };
}

/** Takes as many members as fit together, and always the first one. */
export interface MemberPage {
  /** Returns false when the page is full. */
  add(key: string, member: unknown): boolean;
  /** Adds a member that is too large for one page by its kind. */
  addLarge(key: string, kind: string): boolean;
  finish(total: number): ResultPage;
}

export function createMemberPage(kind: 'array' | 'object', request: PageRequest): MemberPage {
  const { path, offset, limit = Number.MAX_SAFE_INTEGER } = request;
  const shown: unknown[] = [];
  let used = 0;

  function add(key: string, show: (at: string) => unknown): boolean {
    if (shown.length >= limit) return false;
    const place = offset + shown.length;
    const next =
      kind === 'array'
        ? show(`${path}/${place}`)
        : [
            isLong(key) ? `member ${place}, its key of ${key.length} characters is not shown` : key,
            show(`${path}/${escapePointer(key)}`),
          ];
    used += JSON.stringify(next).length + 1;
    if (used > MAX_VALUE_CHARACTERS && shown.length > 0) return false;
    shown.push(next);
    return true;
  }

  return {
    add: (key, member) => add(key, (at) => outline(member, at)),
    addLarge: (key, large) => add(key, (at) => cutAt(large, at)),
    finish: (total) =>
      // For an object, `add` pushed only pairs.
      page(
        kind === 'array' ? shown : Object.fromEntries(shown as [string, unknown][]),
        total,
        offset,
        shown.length,
      ),
  };
}

function page(value: unknown, total: number, offset: number, shown: number): ResultPage {
  const next = offset + shown;
  return next < total ? { value, total, nextOffset: next } : { value, total };
}

export const isCutInPage = (member: unknown): boolean => JSON.stringify(member).length > SHOWN_WHOLE;

/** Replaces a member that is too large for one page by its kind and the path to read it at. */
function outline(value: unknown, path: string): unknown {
  if (!isCutInPage(value)) return value;
  if (Array.isArray(value)) return cutAt(kindOf('array', value.length), path);
  if (isObject(value)) return cutAt(kindOf('object', Object.keys(value).length), path);
  return cutAt(kindOf('string', String(value).length), path);
}

export function kindOf(kind: LargeKind, count: number): string {
  const unit = { array: 'items', object: 'members', string: 'characters' }[kind];
  return `${kind} of ${count} ${unit}`;
}

function cutAt(kind: string, path: string): unknown {
  return isLong(path) ? { cut: kind } : { cut: kind, readAt: path };
}

export function isLong(name: string): boolean {
  return name.length > MAX_NAME_LENGTH || JSON.stringify(name).length > MAX_NAME_LENGTH;
}

/** Returns where a page of a text ends at most: each character takes at least one in JSON. */
export function textEnd(total: number, { offset, limit = Number.MAX_SAFE_INTEGER }: PageRequest): number {
  let end = Math.min(total, offset + limit);
  while (end - offset + 2 > MAX_VALUE_CHARACTERS) end = halve(offset, end);
  return end;
}

/** `part` is the text from the offset on, and one character more than `textEnd` returns. */
export function textPage(part: string, total: number, request: PageRequest): ResultPage {
  const { offset } = request;
  let end = textEnd(total, request);
  // Escapes make the JSON longer than the text, so this halves the text until the JSON fits.
  while (end > offset + 1 && JSON.stringify(part.slice(0, end - offset)).length > MAX_VALUE_CHARACTERS)
    end = halve(offset, end);
  // A surrogate pair stays whole, even when only one of its units would fit.
  if (end < total && isHighSurrogate(part.charCodeAt(end - 1 - offset))) end += end > offset + 1 ? -1 : 1;
  return page(part.slice(0, Math.max(0, end - offset)), total, offset, end - offset);
}

const halve = (offset: number, end: number): number => offset + Math.ceil((end - offset) / 2);
