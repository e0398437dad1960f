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

/** Stems English words lightly. Queries and tools use the same stems, so a stem need not be a word. */
export function stem(word: string): string {
  if (word.length < 4 || word === 'news') return word;
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
