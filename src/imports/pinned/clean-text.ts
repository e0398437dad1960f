// Removes the characters from texts of others that a person does not see and a model reads. decision: 042

export const KINDS = [
  'control',
  'bidirectional',
  'tag',
  'zero-width',
  'variation-selector',
  'other invisible',
] as const;
export type Kind = (typeof KINDS)[number];

/** Counts what was removed. */
export type Removed = Map<Kind, number>;

// Scripts whose spelling needs the joiners U+200C and U+200D.
const SCRIPTS = (
  'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
  'Myanmar Khmer Tibetan Balinese Javanese'
).split(' ');
const JOINING = `[[[\\p{L}\\p{M}]--\\p{Default_Ignorable_Code_Point}]&&[${SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]]`;
const PICTURE = '\\p{Extended_Pictographic}';

/**
 * What stays although it is invisible: the three flags made of tags, a joiner between two pictures or within a word of a
 * script that needs it, and one selector of text or emoji form behind a character that has both.
 */
const KEPT = [
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}',
  `(?<=${PICTURE}[\\p{Emoji_Modifier}\\uFE0F]?)\\u200D(?=${PICTURE})`,
  `(?<=${JOINING})[\\u200C\\u200D](?=${JOINING})`,
  `(?<=${PICTURE})[\\uFE0E\\uFE0F]`,
  '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
].join('|');

/** Only properties that do not change with each version of Unicode: digests depend on what stays. */
const HIDDEN =
  '[[\\p{Cc}--[\\t\\n]]\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\p{Cs}\\p{Co}\\p{Noncharacter_Code_Point}' +
  '\\uFFF9-\\uFFFB]';

const FINDER = new RegExp(`${KEPT}|(${HIDDEN})`, 'gv');
const MAY_HIDE = new RegExp(HIDDEN, 'v');
const CONTROL = /^\p{Cc}$/u;
const BIDIRECTIONAL = /^\p{Bidi_Control}$/u;
const TAG = /^[\u{E0000}-\u{E007F}]$/u;
const ZERO_WIDTH = /^[\u200B-\u200D\u2060\uFEFF]$/u;
const SELECTOR = /^[\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u180B-\u180D\u180F]$/u;

/** Returns the text without invisible characters. Line ends become line feeds. Each removal is counted in `removed`. */
export function cleanText(text: string, removed: Removed): string {
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, '\n');
  if (!MAY_HIDE.test(lines)) return lines;
  return lines.replace(FINDER, (match, hidden: string | undefined) => {
    if (hidden === undefined) return match;
    const kind = kindOf(hidden);
    removed.set(kind, (removed.get(kind) ?? 0) + 1);
    return '';
  });
}

export function isClean(text: string): boolean {
  return cleanText(text, new Map()) === text;
}

function kindOf(character: string): Kind {
  if (CONTROL.test(character)) return 'control';
  if (BIDIRECTIONAL.test(character)) return 'bidirectional';
  if (TAG.test(character)) return 'tag';
  if (ZERO_WIDTH.test(character)) return 'zero-width';
  return SELECTOR.test(character) ? 'variation-selector' : 'other invisible';
}

/** Says what was removed: `3 tag characters and 1 control character`. */
export function describeRemoved(removed: Removed): string {
  const parts = KINDS.flatMap((kind) => {
    const count = removed.get(kind) ?? 0;
    if (count === 0) return [];
    const noun = kind === 'variation-selector' ? 'variation selector' : `${kind} character`;
    return [`${count} ${noun}${count === 1 ? '' : 's'}`];
  });
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Cuts a text at a whole character, with an ellipsis inside the limit. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  // Half of a pair at the end goes, too.
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}

/** Makes one line of a text from outside, without invisible characters. */
export const cleanLine = (text: string, most: number): string =>
  cutText(cleanText(text, new Map()).replaceAll(/\s+/g, ' ').trim(), most);

/** Makes a text of others short and harmless enough for one of our sentences. */
export function quoteName(name: string): string {
  return JSON.stringify(cutText(cleanText(name.slice(0, 1_000), new Map()).replace(/\s+/g, ' '), 80));
}
