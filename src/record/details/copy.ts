// Copies a value as JSON for the details of a call: without secrets, and no longer than a limit. decision: 040
import { redact } from '../../http/redact.ts';
import { isObject } from '../../json/json.ts';
import { isSecretName, withoutSecrets } from './secret-names.ts';

export interface Copy {
  /** Always valid JSON. */
  json: string;
  /** Whether the end of something is missing. */
  isCut: boolean;
  /** JSON pointers to the members whose values were left out as secrets. RFC 6901 */
  withheld: string[];
}

export const MARK = '…';
const MAX_DEPTH = 60;
const MAX_WITHHELD = 50;
/** What a member takes beside its name and its value. */
const MEMBER_CHARACTERS = 4;
/** A secret at the place of a cut is still found whole. */
const MARGIN_CHARACTERS = 300;

/** Copies until the limit is reached, so a long value costs no more than a short one. */
export function copyValue(value: unknown, most: number): Copy {
  const withheld: string[] = [];
  let left = most;
  let isCut = false;

  function cut(): string {
    isCut = true;
    return JSON.stringify(MARK);
  }

  function text(given: string): string {
    const isLong = given.length > left;
    const begun = isLong ? given.slice(0, left + MARGIN_CHARACTERS) : given;
    const safe = withoutSecrets(begun.toWellFormed());
    if (isLong) isCut = true;
    const shown = isLong ? `${safe.slice(0, left).toWellFormed()}${MARK}` : safe;
    left -= shown.length;
    return JSON.stringify(shown);
  }

  function withhold(path: string): string {
    if (withheld.length < MAX_WITHHELD) withheld.push(path);
    left -= MARK.length;
    return JSON.stringify(MARK);
  }

  function list(items: readonly unknown[], path: string, depth: number): string {
    const parts: string[] = [];
    for (const [index, item] of items.entries()) {
      if (left <= 0) {
        isCut = true;
        break;
      }
      left -= MEMBER_CHARACTERS;
      parts.push(write(item, `${path}/${index}`, depth + 1) ?? 'null');
    }
    return `[${parts.join(',')}]`;
  }

  function members(object: Record<string, unknown>, path: string, depth: number): string {
    // Headers and form fields are often lists of names and values.
    const isNamedSecret = 'value' in object && namesIn(object).some(isSecretName);
    const parts: string[] = [];
    for (const name of Object.keys(object)) {
      if (left <= 0) {
        isCut = true;
        break;
      }
      const member = object[name];
      const below = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const isSecret = (isSecretName(name) || (isNamedSecret && name === 'value')) && hasContent(member);
      left -= name.length + MEMBER_CHARACTERS;
      const written = isSecret ? withhold(below) : write(member, below, depth + 1);
      if (written !== undefined) parts.push(`${JSON.stringify(name)}:${written}`);
    }
    return `{${parts.join(',')}}`;
  }

  /** Returns undefined for what JSON leaves out. */
  function write(given: unknown, path: string, depth: number): string | undefined {
    if (typeof given === 'string') return text(given);
    if (typeof given !== 'object' || given === null) {
      const plain: string | undefined = JSON.stringify(typeof given === 'bigint' ? String(given) : given);
      left -= plain?.length ?? 0;
      return plain;
    }
    if (depth > MAX_DEPTH) return cut();
    if (Array.isArray(given)) return list(given, path, depth);
    if ('toJSON' in given && typeof given.toJSON === 'function')
      return write(given.toJSON(), path, depth + 1);
    return isObject(given) ? members(given, path, depth) : cut();
  }

  const json = write(value, '', 0) ?? 'null';
  return { json, isCut, withheld };
}

/** Replaces the secrets of the connection, which a provider may repeat. */
export function withoutCredential(copy: Copy, secrets: readonly string[]): Copy {
  const json = redact(copy.json, secrets);
  if (json === copy.json) return copy;
  // Only texts are changed, so that the JSON stays valid.
  const clean: unknown = JSON.parse(copy.json, (_, value: unknown) =>
    typeof value === 'string' ? redact(value, secrets) : value,
  );
  return { ...copy, json: JSON.stringify(clean) };
}

const namesIn = ({ name, key }: Record<string, unknown>): string[] =>
  [name, key].filter((each) => typeof each === 'string');

/** An empty value, or whether there is one, is no secret. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return ['number', 'bigint'].includes(typeof value) || (typeof value === 'object' && value !== null);
}
