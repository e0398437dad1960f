// Gathers the tables of the search. A Worker reads them from a file, so only adapters, builds and tests import this one.
import type { SearchTables } from '../ports/texts.ts';
import { FOREIGN_QUESTIONS, FOREIGN_STOP_WORDS, NOUNS, VERBS } from './dictionary.ts';
import { IDIOMS, VERB_SENSES } from './idioms.ts';
import { ALIASES, RELATED } from './synonyms.ts';

export const searchTables: SearchTables = {
  aliases: ALIASES,
  related: RELATED,
  idioms: IDIOMS,
  verbSenses: VERB_SENSES,
  verbs: VERBS,
  nouns: NOUNS,
  foreignStopWords: FOREIGN_STOP_WORDS,
  foreignQuestions: FOREIGN_QUESTIONS,
};
