// Splits text into words and stems for suggestions.

const MAX_WORD_LENGTH = 40;

/** Converts to upper case before lower case, so that every casing of a word (ß, ς, ﬁ) ends as the same letters. */
export function splitWords(text: string): string[] {
  const folded = text.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
  const words = folded.replace(/['’]\p{L}{1,2}\b|\p{M}/gu, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.slice(0, MAX_WORD_LENGTH));
}

/** Splits camelCase too. Use it for names only: prose writes GitHub and PostHog. */
export function splitName(name: string): string[] {
  return splitWords(name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' '));
}

export const isPlural = (word: string): boolean => /[^sui]s$/.test(word);

// Stemming is most of the time that an index takes, and texts repeat their words. Bounds the memory of seen words.
const MAX_SEEN = 20_000;
const seen = new Map<string, string>();

/** Stems English words lightly. Queries and tools use the same stems, so a stem need not be a word. */
export function stem(word: string): string {
  if (word.length < 4 || word === 'news') return word;
  const known = seen.get(word);
  if (known !== undefined) return known;
  if (seen.size >= MAX_SEEN) seen.clear();
  const made = makeStem(word);
  seen.set(word, made);
  return made;
}

function makeStem(word: string): string {
  return (
    word
      .replace(/(?<=..)(?:ies|ied)$/, 'y')
      .replace(/(?<=..[^sui])s$/, '')
      // "moving" comes from "move": a short stem keeps its e, so that "note" is not "not".
      .replace(/^([^aeiou]?[aeiou][^aeiouwxy])(?:ing|ed)$/, '$1e')
      .replace(/(?<=[aeiouy].*[^e])(?:ing|ed)$/, '')
      .replace(/(?<=.{5})ment$/, '')
      .replace(/(?<=.{4}t)ion$/, '')
      .replace(/(?<=..)([^aeiouyls])\1$/, '$1')
      .replace(/(?<=.{4})e$/, '')
  );
}
