// Finds the characters that a person does not see, so that nothing in a text of others stays hidden.

/** A part of a text as it is, or a mark in the place of what would not be seen. */
export type Part = string | { mark: string; about: string };

// Scripts whose spelling needs the joiners U+200C and U+200D.
const SCRIPTS = (
  'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
  'Myanmar Khmer Tibetan Balinese Javanese'
).split(' ');
const JOINING = `[[[\\p{L}\\p{M}]--\\p{Default_Ignorable_Code_Point}]&&[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]]`;
const PICTURE = '\\p{Extended_Pictographic}';

/** Invisible characters that change how the characters beside them look, such as the joiner in an emoji. */
const KEPT = [
  `(?<=${PICTURE}[\\p{Emoji_Modifier}\\uFE0F]?)\\u200D(?=${PICTURE})`,
  `(?<=${JOINING})[\\u200C\\u200D](?=${JOINING})`,
  `(?<=${PICTURE})[\\uFE0E\\uFE0F]`,
  '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
  '\\r\\n',
].join('|');

const HIDDEN =
  '[[\\p{C}--[\\t\\n]]\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u2800\\uFFF9-\\uFFFC]';

/** So much white space in a row pushes what follows out of sight. */
const BLANK = '[\\t\\n\\r\\p{Zs}]';
const MIN_BLANK = 6;
const MAX_LINE_BREAKS = 4;
const MAX_SPACES = 40;

const FINDER = new RegExp(`${KEPT}|(${HIDDEN})\\1*|(${BLANK}{${MIN_BLANK},})`, 'gv');
const MAY_HIDE = new RegExp(`${HIDDEN}|${BLANK}{${MIN_BLANK}}`, 'v');

/** Bounds the elements of a text that consists of marks. Further marks are written into the text. */
const MAX_MARKS = 2_000;

const NAMES: Readonly<Record<string, string>> = {
  '\u00AD': 'soft hyphen',
  '\u061C': 'Arabic letter mark',
  '\u200B': 'zero-width space',
  '\u200C': 'zero-width non-joiner',
  '\u200D': 'zero-width joiner',
  '\u200E': 'left-to-right mark',
  '\u200F': 'right-to-left mark',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u202A': 'left-to-right embedding',
  '\u202B': 'right-to-left embedding',
  '\u202C': 'end of embedding',
  '\u202D': 'left-to-right override',
  '\u202E': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'isolate',
  '\u2069': 'end of isolate',
  '\u2800': 'blank',
  '\uFEFF': 'zero-width space',
};

export function partsOf(text: string): Part[] {
  if (!MAY_HIDE.test(text)) return [text];
  const parts: Part[] = [];
  let plain = '';
  let marks = 0;
  let end = 0;
  for (const match of text.matchAll(FINDER)) {
    const [found, hidden, blank] = match;
    const mark = hidden === undefined ? markOfBlank(blank) : markOf(hidden, found.length / hidden.length);
    if (mark === null) continue;
    plain += text.slice(end, match.index);
    end = match.index + found.length;
    marks += 1;
    if (marks > MAX_MARKS) {
      plain += `[${mark.mark}]`;
      continue;
    }
    parts.push(plain, mark);
    // A line that went on behind the mark would look as if nothing had been left out.
    plain = blank?.includes('\n') === true ? '\n' : '';
  }
  return [...parts, plain + text.slice(end)].filter((part) => part !== '');
}

/** Tells whether a text holds invisible characters. Much white space alone does not count. */
export function hidesCharacters(text: string): boolean {
  return partsOf(text).some((part) => typeof part !== 'string' && part.mark.startsWith('U+'));
}

function markOf(character: string, times: number): Exclude<Part, string> {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return { mark: times === 1 ? code : `${code} ×${times}`, about: NAMES[character] ?? 'invisible character' };
}

function markOfBlank(blank: string | undefined): Exclude<Part, string> | null {
  if (blank === undefined) return null;
  const breaks = blank.split('\n').length - 1;
  if (breaks > MAX_LINE_BREAKS) return { mark: `${breaks} line breaks`, about: 'white space' };
  return blank.length > MAX_SPACES ? { mark: `${blank.length} spaces`, about: 'white space' } : null;
}
