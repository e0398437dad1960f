// Checks who has sent a delivery, as the recipe of its service says. Every comparison takes the same time for each wrong text.
import { resolvePointer } from '../json/pointer.ts';
import type { HookPlace, HookRecipe, HookSignature } from '../kit/hooks.ts';
import { HOOK_TOLERANCE_SECONDS } from './limits.ts';

export interface Delivery {
  method: string;
  url: string;
  header: (name: string) => string | undefined;
  /** The body as it came. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The parsed body; undefined for one that is not JSON. */
  json: unknown;
}

/** Null when the delivery is right. Otherwise what is wrong, for the person whose address it is. */
export type Checked = 'unsigned' | 'wrong' | 'old' | 'no-secret' | null;

const encoder = new TextEncoder();

export function textAt(place: HookPlace, { header, json }: Pick<Delivery, 'header' | 'json'>): string | null {
  if ('header' in place) return header(place.header) ?? null;
  const value = resolvePointer(json, place.at)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export async function checkDelivery(
  { check, id }: Pick<HookRecipe, 'check' | 'id'>,
  delivery: Delivery,
  secrets: readonly string[],
  now: number,
): Promise<Checked> {
  if (secrets.length === 0) return 'no-secret';
  const sent = delivery.header(check.header);
  if (sent === undefined || sent === '') return 'unsigned';
  if (check.kind === 'token') {
    const given = encoder.encode(sent);
    let isRight = false;
    for (const secret of secrets) isRight = isSame(given, encoder.encode(secret)) || isRight;
    return isRight ? null : 'wrong';
  }
  const { signatures, listed } = readHeader(check, sent);
  const time = listed ?? (check.time?.in === undefined ? null : textAt(check.time.in, delivery));
  const name = id === undefined || id[0] === undefined ? null : textAt(id[0], delivery);
  const signed = signedBytes(check.signed ?? '{body}', delivery, time ?? '', name ?? '');
  let isRight = false;
  for (const secret of secrets) {
    const mac = await hmac(check, secret, signed);
    if (mac === null) continue;
    for (const signature of signatures) isRight = isSame(decode(check, signature), mac) || isRight;
  }
  if (!isRight) return 'wrong';
  return check.time === undefined || isRecent(time, check.time.unit, now) ? null : 'old';
}

function isRecent(time: string | null, unit: 's' | 'ms', now: number): boolean {
  const seconds = unit === 's' ? Number(time) : Number(time) / 1000;
  return time !== null && time !== '' && Math.abs(now - seconds) <= HOOK_TOLERANCE_SECONDS;
}

function readHeader(
  { list, prefix = '' }: HookSignature,
  sent: string,
): { signatures: readonly string[]; listed: string | null } {
  if (list === undefined)
    return { signatures: sent.startsWith(prefix) ? [sent.slice(prefix.length)] : [], listed: null };
  const items = sent.split(list.separator).map((item) => {
    const at = item.indexOf(list.assign);
    return { name: item.slice(0, at).trim(), value: item.slice(at + list.assign.length).trim() };
  });
  return {
    // A sender has a few secrets at most.
    signatures: items.flatMap(({ name, value }) => (name === list.name ? [value] : [])).slice(0, 8),
    listed: list.time === undefined ? null : (items.find(({ name }) => name === list.time)?.value ?? ''),
  };
}

function signedBytes(
  form: string,
  { bytes, method, url }: Delivery,
  time: string,
  id: string,
): Uint8Array<ArrayBuffer> {
  if (form === '{body}') return bytes;
  const values: Record<string, string> = { time, id, method, url };
  const parts = form
    .split('{body}')
    .map((part) =>
      encoder.encode(part.replaceAll(/\{(time|id|method|url)\}/g, (_, name: string) => values[name] ?? '')),
    );
  const all = parts.flatMap((part, index) => (index === 0 ? [part] : [bytes, part]));
  const joined = new Uint8Array(all.reduce((size, part) => size + part.byteLength, 0));
  let at = 0;
  for (const part of all) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}

async function hmac(
  { hash = 'SHA-256', secretForm }: { hash?: 'SHA-1' | 'SHA-256'; secretForm?: 'whsec' },
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array | null> {
  const key = secretForm === 'whsec' ? fromBase64(secret.replace(/^whsec_/, '')) : encoder.encode(secret);
  if (key === null || key.byteLength === 0) return null;
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed));
}

function decode({ encoding }: HookSignature, text: string): Uint8Array {
  if (encoding === 'base64') return fromBase64(text) ?? new Uint8Array();
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return new Uint8Array();
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Looks at every byte, whichever is the first that differs. The length of a signature is no secret. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.byteLength ^ other.byteLength;
  for (let index = 0; index < other.byteLength; index++)
    difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
  return difference === 0;
}
