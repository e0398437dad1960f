// Removes secrets and personal data from texts that come in pieces, and holds back only where a find may go on. decision: 063
import { parseJson } from './json.ts';
import {
  findSensitive,
  type Removed,
  removeSensitive,
  replaceFinds,
  sayRemovedKind,
  type Wanted,
} from './sensitive.ts';

/** Takes a text piece by piece, and returns what can be given out of it so far. */
export interface Cleaner {
  push(piece: string): string;
  end(): string;
}

/** No find is longer. */
const HELD_CHARACTERS = 32_768;
/** A form looks at this many characters before it. */
const CONTEXT = 2;
/** A longer text of JSON is checked as it is written. */
const LITERAL_CHARACTERS = 262_144;

/** A line is given out when it ends: apart from private keys no form goes on in the next line. */
export function createTextCleaner(
  wanted: Wanted,
  removed: Removed,
  say: (kind: string) => string = sayRemovedKind,
): Cleaner {
  let held = '';
  /** How much of the held text was given out already. */
  let given = 0;

  function take(isLast: boolean): string {
    const safe = held.length - HELD_CHARACTERS;
    let cut = isLast ? held.length : Math.max(given, safe, held.lastIndexOf('\n') + 1);
    const finds = [];
    for (const find of findSensitive(held, wanted, given)) {
      if (find.start >= cut) break;
      const reachesOn = find.end === held.length || find.isOpen === true;
      const mayGoOn = !isLast && reachesOn && find.start >= safe;
      cut = mayGoOn ? find.start : Math.max(cut, find.end);
      if (mayGoOn) break;
      finds.push(find);
    }
    const cleaned = replaceFinds(held, finds, removed, { from: given, to: cut, say });
    const kept = Math.max(0, cut - CONTEXT);
    held = held.slice(kept);
    given = cut - kept;
    return cleaned;
  }

  return {
    push(piece) {
      held += piece;
      return piece.includes('\n') || held.length > 2 * HELD_CHARACTERS ? take(false) : '';
    },
    end() {
      const cleaned = take(true);
      held = '';
      given = 0;
      return cleaned;
    },
  };
}

/**
 * Checks each text of a JSON document as a reader of it will have it, without its escapes. What has nothing to remove stays as
 * it was written. A number that is removed becomes a text.
 */
export function createJsonCleaner(wanted: Wanted, removed: Removed): Cleaner {
  const outside = createTextCleaner(wanted, removed, (kind) => JSON.stringify(sayRemovedKind(kind)));
  const long = createTextCleaner(wanted, removed);
  /** The text that has begun, with its first quotation mark. */
  let literal: string | null = null;
  let isLong = false;
  let isEscaped = false;

  function endOfLiteral(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (unit === BACKSLASH) isEscaped = true;
      else if (unit === QUOTE) return at + 1;
    }
    return -1;
  }

  function clean(written: string): string {
    const value = written.includes('\\') ? parseJson(written) : undefined;
    if (typeof value !== 'string') return removeSensitive(written, wanted, removed);
    const left = removeSensitive(value, wanted, removed);
    return left === value ? written : JSON.stringify(left);
  }

  function takeLiteral(text: string, isWhole: boolean): string {
    literal = (literal ?? '') + text;
    if (isLong || literal.length > LITERAL_CHARACTERS) {
      isLong = !isWhole;
      const piece = literal;
      literal = isWhole ? null : '';
      return isWhole ? long.push(piece) + long.end() : long.push(piece);
    }
    if (!isWhole) return '';
    const written = literal;
    literal = null;
    return clean(written);
  }

  return {
    push(piece) {
      let out = '';
      let at = 0;
      while (at < piece.length) {
        if (literal === null) {
          const quote = piece.indexOf('"', at);
          const end = quote === -1 ? piece.length : quote;
          out += outside.push(piece.slice(at, end));
          if (quote === -1) break;
          out += outside.end();
          literal = '"';
          at = quote + 1;
        } else {
          const end = endOfLiteral(piece, at);
          out += takeLiteral(piece.slice(at, end === -1 ? piece.length : end), end !== -1);
          at = end === -1 ? piece.length : end;
        }
      }
      return out;
    },
    end: () => (literal === null ? outside.end() : takeLiteral('', true)),
  };
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
