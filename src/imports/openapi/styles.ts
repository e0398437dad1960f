// Writes values as the styles of parameters say. OpenAPI 3.1 §4.8.12 and RFC 6570
import { writeJson } from '../../json/exact-integers.ts';
import { isObject } from '../../json/json.ts';
import type { Style } from './operation.ts';

export interface Way {
  style: Style;
  explode: boolean;
  allowReserved?: true;
}

type Encode = (text: string) => string;
export type Pair = readonly [name: string, value: string];

/** Leaves only the unreserved characters of RFC 3986 §2.3 as they are. */
export const encode: Encode = (text) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, percentOf);

const percentOf = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The characters that would end the value, or begin another one, are encoded all the same. */
const encodeReserved: Encode = (text) =>
  encode(text).replaceAll(/%(?:3A|2F|3F|40|21|24|28|29|2A|2C|3B|3D)/g, decodeURIComponent);

export const encoderOf = ({ allowReserved }: Pick<Way, 'allowReserved'>): Encode =>
  allowReserved === true ? encodeReserved : encode;

/** Null is a missing value. What no style can write is JSON. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : writeJson(value);
}

function itemsOf(values: readonly unknown[], write: Encode): string[] {
  return values.flatMap((value) => {
    const text = textOf(value);
    return text === null ? [] : [write(text)];
  });
}

function membersOf(value: Record<string, unknown>, write: Encode, writeName: Encode): Pair[] {
  return Object.entries(value).flatMap(([name, member]): Pair[] => {
    const text = textOf(member);
    return text === null ? [] : [[writeName(name), write(text)]];
  });
}

/** `blue,black` or `R,100,G,200`, and `R=100,G=200` when exploded. */
function join(value: unknown, explode: boolean, write: Encode, between = ','): string | null {
  if (Array.isArray(value)) {
    const items = itemsOf(value, write);
    return items.length === 0 ? null : items.join(between);
  }
  if (isObject(value)) {
    const members = membersOf(value, write, write);
    if (members.length === 0) return null;
    return members
      .map(([name, text]) => (explode ? `${name}=${text}` : `${name}${between}${text}`))
      .join(between);
  }
  const text = textOf(value);
  return text === null ? null : write(text);
}

const DELIMITERS: Partial<Record<Style, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** Writes the pairs of a query, a form or a cookie. Without a value there are none. */
export function writePairs(
  name: string,
  value: unknown,
  way: Way,
  write = encoderOf(way),
  writeName: Encode = encode,
): Pair[] {
  const { style, explode } = way;
  if (style === 'deepObject' && typeof value === 'object')
    return deepPairs(writeName(name), value, write, writeName);
  if (explode && Array.isArray(value)) return itemsOf(value, write).map((item) => [writeName(name), item]);
  if (explode && isObject(value)) return explodedPairs(value, write, writeName);
  const delimiter = DELIMITERS[style];
  const joined = join(value, false, write, delimiter === undefined ? ',' : write(delimiter));
  return joined === null ? [] : [[writeName(name), joined]];
}

/** RFC 6570 §3.2.8 leaves a list in an exploded object open. Servers read its name once for each item. */
function explodedPairs(value: Record<string, unknown>, write: Encode, writeName: Encode): Pair[] {
  return Object.entries(value).flatMap(([name, member]) =>
    Array.isArray(member)
      ? itemsOf(member, write).map((item): Pair => [writeName(name), item])
      : membersOf({ [name]: member }, write, writeName),
  );
}

/** OpenAPI says nothing about nested values. Brackets at each level are what servers read. */
function deepPairs(name: string, value: unknown, write: Encode, writeName: Encode): Pair[] {
  const [open, close] = [writeName('['), writeName(']')];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      const isPlain = typeof item !== 'object';
      return deepPairs(`${name}${open}${isPlain ? '' : index}${close}`, item, write, writeName);
    });
  if (isObject(value))
    return Object.entries(value).flatMap(([key, member]) =>
      deepPairs(`${name}${open}${writeName(key)}${close}`, member, write, writeName),
    );
  const text = textOf(value);
  return text === null ? [] : [[name, write(text)]];
}

/** Writes a value into a path. Returns null when there is none. */
export function writePath(name: string, value: unknown, { style, explode }: Way): string | null {
  switch (style) {
    case 'label': {
      const joined = join(value, explode, encode, explode ? '.' : ',');
      return joined === null ? null : `.${joined}`;
    }
    case 'matrix': {
      const isOne = !explode || typeof value !== 'object';
      const pairs = isOne
        ? [[encode(name), join(value, false, encode)] as const]
        : writePairs(name, value, { style: 'form', explode: true }, encode);
      const written = pairs.flatMap(([key, text]) =>
        text === null ? [] : [text === '' ? `;${key}` : `;${key}=${text}`],
      );
      return written.length === 0 ? null : written.join('');
    }
    default:
      return join(value, explode, encode);
  }
}

/** Writes a value into a header, where nothing is percent-encoded. */
export function writeHeader(value: unknown, explode: boolean): string | null {
  return join(value, explode, (text) => text);
}
