// Cuts a result at whole items: the text is valid JSON, and `more` says where read_result continues. decision: 032
import { isObject } from '../../json/json.ts';
import { escapePointer } from '../../json/pointer.ts';
import { isHighSurrogate, isLonger } from './json-pieces.ts';

/** Replaces what is not shown: the items, members or characters of the value at `path` from `offset` on. */
interface More {
  handle?: string;
  path: string;
  offset: number;
  total: number;
}

/** What every `more` of an answer has in common. */
type Continuation = Pick<More, 'handle'> & { note?: string };

interface Member {
  /** The JSON text of the key with its colon. Empty for an item of an array. */
  label: string;
  path: string;
  value: unknown;
}

type Container = unknown[] | Record<string, unknown>;

/** The least that a member takes when it is not shown whole: the frame of `more`. */
const MIN_MEMBER = 40;
/** Less room than this for a text shows only where the text is. */
const MIN_TEXT = 40;

/** Returns at most `room` characters. `value` is the value of a call, so its `results` share the room fairly. */
export function cutAtWholeItems(value: unknown, room: number, continuation: Continuation): string {
  const whole = fit(value, '', room);
  // The keys of a result can be of any length.
  return whole.length <= room ? whole : more('', 0, 1);

  function more(path: string, offset: number, total: number): string {
    return JSON.stringify({ more: { ...continuation, path, offset, total } });
  }

  function fit(part: unknown, path: string, space: number): string {
    const short = textWithin(part, space);
    if (short !== null) return short;
    if (typeof part === 'string') return fitText(part, path, space);
    // Every other long value is a container.
    const container = part as Container;
    const isFair = isObject(container) || path === '/results';
    // Each member takes this much at least, so the others need not be looked at.
    const isFew = isFair && !hasMoreMembers(container, space / MIN_MEMBER);
    const members = isFew ? [...membersOf(container, path)] : [];
    const shares = isFew ? shareRoom(members, space) : null;
    return shares === null
      ? fitFirst(container, path, space)
      : wrap(
          container,
          members.map((member, index) => member.label + fit(member.value, member.path, shares[index] ?? 0)),
        );
  }

  /** Gives small members all that they need, and the others equal shares of the rest. Returns null for too many members. */
  function shareRoom(members: Member[], space: number): number[] | null {
    const labels = members.reduce((sum, { label }) => sum + label.length + 1, 2);
    const least = Math.max(...members.map((member) => more(member.path, 0, sizeOf(member.value)).length), 0);
    let left = space - labels;
    if (left < least * members.length) return null;
    const lengths = members.map(({ value: one }) => textWithin(one, left)?.length ?? Infinity);
    const shares: number[] = [];
    let open = members.length;
    for (const index of [...lengths.keys()].toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0))) {
      const share = Math.min(lengths[index] ?? 0, Math.floor(left / open));
      shares[index] = share;
      left -= share;
      open--;
    }
    return shares;
  }

  /** Shows members from the first on for as long as they fit. The first one is cut inside when it is too long. */
  function fitFirst(container: Container, path: string, space: number): string {
    const total = sizeOf(container);
    const rest = `${Array.isArray(container) ? '' : '"more":'}${more(path, total, total)}`.length + 1;
    let left = space - rest - 2;
    const shown: string[] = [];
    let first: Member | undefined;
    for (const member of membersOf(container, path)) {
      first ??= member;
      const { label, value: one } = member;
      const text = textWithin(one, left - label.length - 1);
      if (text === null) break;
      shown.push(label + text);
      left -= label.length + text.length + 1;
    }
    if (
      shown.length === 0 &&
      first !== undefined &&
      left > more(first.path, 0, total).length + first.label.length
    )
      shown.push(first.label + fit(first.value, first.path, left - first.label.length));
    if (shown.length === total) return wrap(container, shown);
    const marker = more(path, shown.length, total);
    // An object gets the member `more` itself. A key of its own of that name is not shown.
    return wrap(container, [...shown, Array.isArray(container) ? marker : marker.slice(1, -1)]);
  }

  function fitText(part: string, path: string, space: number): string {
    const frame = more(path, part.length, part.length).length + '"text":"",'.length;
    let end = Math.min(part.length, Math.max(0, space - frame));
    const encoded = () => JSON.stringify(part.slice(0, end)).length - 2;
    while (end > 0 && encoded() > space - frame) end = Math.floor(end * 0.9);
    if (end > 0 && isHighSurrogate(part.charCodeAt(end - 1))) end--;
    if (end < MIN_TEXT) return more(path, 0, part.length);
    return `{"text":${JSON.stringify(part.slice(0, end))},${more(path, end, part.length).slice(1)}`;
  }
}

/** Returns null when the JSON is longer. */
function textWithin(value: unknown, room: number): string | null {
  if (isLonger(value, room)) return null;
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= room ? text : null;
}

function* membersOf(container: Container, path: string): Generator<Member> {
  if (Array.isArray(container)) {
    for (const [index, value] of container.entries()) yield { label: '', path: `${path}/${index}`, value };
    return;
  }
  for (const key in container) {
    const value = Object.hasOwn(container, key) ? container[key] : undefined;
    // JSON has neither undefined nor functions.
    if (value === undefined || typeof value === 'function') continue;
    yield { label: `${JSON.stringify(key)}:`, path: `${path}/${escapePointer(key)}`, value };
  }
}

function hasMoreMembers(container: Container, most: number): boolean {
  if (Array.isArray(container)) return container.length > most;
  let count = 0;
  for (const key in container) if (Object.hasOwn(container, key) && ++count > most) return true;
  return false;
}

function wrap(container: Container, texts: string[]): string {
  return Array.isArray(container) ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

export interface Place {
  path: string;
  offset: number;
}

/**
 * Finds the first item that the first `end` characters of the JSON do not show whole. It goes into an item only if that
 * has a single member, or if read_result would not show it whole either.
 */
export function firstHidden(root: unknown, end: number, shownWhole: number): Place {
  let value = root;
  let path = '';
  let at = 0;
  for (;;) {
    if (typeof value === 'string') return { path, offset: hiddenCharacter(value, end - at - 1) };
    if (typeof value !== 'object' || value === null) return { path, offset: 0 };
    // An object or an array.
    const container = value as Container;
    let index = 0;
    let hidden: Member | undefined;
    at += 1;
    for (const member of membersOf(container, path)) {
      const text = textWithin(member.value, end - at - member.label.length);
      if (text === null) {
        hidden = member;
        break;
      }
      at += member.label.length + text.length + 1;
      index++;
    }
    if (hidden === undefined) return { path, offset: index };
    const isGoneInto = !hasMoreMembers(container, 1) || textWithin(hidden.value, shownWhole) === null;
    if (!isGoneInto || typeof hidden.value === 'number') return { path, offset: index };
    at += hidden.label.length;
    ({ value, path } = hidden);
  }
}

/** Returns the first character that `room` characters of JSON do not show. */
function hiddenCharacter(text: string, room: number): number {
  let shown = Math.max(0, Math.min(text.length, room));
  // An escape takes up to six characters.
  while (shown > 0) {
    const over = JSON.stringify(text.slice(0, shown)).length - 2 - room;
    if (over <= 0) break;
    shown -= Math.max(1, Math.ceil(over / 6));
  }
  return shown > 0 && isHighSurrogate(text.charCodeAt(shown - 1)) ? shown - 1 : shown;
}
