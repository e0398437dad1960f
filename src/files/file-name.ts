// Cleans names and content types that callers give to files.
import { getMimeType } from 'hono/utils/mime';

const MAX_NAME_LENGTH = 255;
const MAX_TYPE_LENGTH = 200;
const UNNAMED = 'file';
export const UNKNOWN_TYPE = 'application/octet-stream';
/** RFC 9110 §8.3.1, without parameters. */
const TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;
// curl sends this type with any body when nobody gives another.
const MEANINGLESS = new Set(['', UNKNOWN_TYPE, 'application/x-www-form-urlencoded']);

/** Removes folders, control and format characters, which include those that change the direction of text. */
export function cleanName(given: string | undefined): string {
  const last = (given ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '');
  const name = (last ?? '').trim();
  if (/^\.*$/.test(name)) return UNNAMED;
  // A cut keeps the extension, because programs open files by it.
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length).slice(0, MAX_NAME_LENGTH - extension.length);
  return stem.replace(/[\ud800-\udbff]$/, '') + extension;
}

/** Returns the first type that means something, else the type that the name's extension stands for. */
export function cleanType(name: string, ...given: (string | undefined)[]): string {
  for (const type of given) {
    const [essence = ''] = (type ?? '').toLowerCase().split(';');
    const cleaned = essence.trim();
    if (cleaned.length <= MAX_TYPE_LENGTH && TYPE.test(cleaned) && !MEANINGLESS.has(cleaned)) return cleaned;
  }
  const [guessed = UNKNOWN_TYPE] = (getMimeType(name) ?? UNKNOWN_TYPE).split(';');
  return guessed;
}

/** Always `attachment`: what somebody uploaded must not run on this origin. RFC 6266 §4.3 */
export function attachmentDisposition(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, '_');
  const escaped = encodeURIComponent(name).replace(
    /['()*]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${escaped}`;
}
