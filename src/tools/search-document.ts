// Reads what a tool is from its texts: the terms of each field, what it does, and what it is about.
import type { Access } from '../kit/integration.ts';
import { CALLED, KNOWN_AS, PURPOSES, SPOKEN_NAMES, USUAL_PURPOSES } from './search-purposes.ts';
import type { Vocabulary } from './search-vocabulary.ts';
import { isPlural, splitName, splitWords, stem } from './search-words.ts';

// Fields are bits, so that one number says which fields of a tool contain a term.
export const NAME = 1;
export const DESCRIPTION = 2;
export const HOME = 4;
export const PURPOSE = 8;
export const SPOKEN = 16;

// Texts of imported tools can be long. What a tool does is said first.
const MAX_DESCRIPTION = 400;

// How sure a verb is by where it stands. The verb of the name is certain.
const DESCRIBED = 0.8;
const SAID = 0.85;

/** The words before a colon. */
const VERBS = /[^:;]*:/g;
const CLAUSE_STARTS = /(?:^|, (?:or |and )?| or )(\p{L}+)/gu;
const BY_ACCESS: Readonly<Record<Access, string>> = { read: 'get', write: 'update', destroy: 'delete' };

export type Searchable = { name: string; description: string; integration: string; access?: Access };

/** What a tool does, and how sure its texts make that. */
export type Doing = { action: string; sureness: number };

export interface Document {
  /** Every word of the texts, for the spelling. */
  words: readonly string[];
  fields: readonly (readonly [field: number, terms: ReadonlySet<string>])[];
  doings: readonly Doing[];
  /** The number of terms in the name, without its integration and its verb. */
  nameLength: number;
  /** The last term of the name, which says what the tool is about (comments, in list_issue_comments), and its other names. */
  objects: readonly string[];
  isPlural: boolean;
}

export function readDocument(vocabulary: Vocabulary, tool: Searchable): Document {
  const { termsOf } = vocabulary;
  const { actionOf } = vocabulary.actions;
  const { integration } = tool;
  const home = splitWords(integration);
  const spoken = splitWords(SPOKEN_NAMES.get(integration) ?? '');
  const name = splitName(tool.name);
  const description = tool.description.slice(0, MAX_DESCRIPTION);
  const purposes = `${PURPOSES.get(tool.name) ?? ''}; ${USUAL_PURPOSES.get(tool.name.slice(integration.length + 1)) ?? ''}`;
  const purpose = splitWords(purposes.replaceAll(VERBS, ''));
  const named = doingsOfName();
  const nameTerms = termsOf(name).difference(termsOf(home));
  // What a tool does is compared as an action: "my schedule" does not mean slack_schedule_message.
  const verbTerms = new Set([...nameTerms].filter((term) => named.includes(actionOf(term) ?? '')));
  const nouns = nameTerms.difference(verbTerms);
  const called = Object.entries(CALLED.get(integration) ?? {}).filter(([own]) => nameTerms.has(stem(own)));
  const calledTerms = termsOf(called.map(([, other]) => other));
  return {
    words: [
      ...home,
      ...splitWords(KNOWN_AS.get(integration) ?? ''),
      ...spoken,
      ...name,
      ...splitWords(description),
      ...purpose,
    ],
    fields: [
      [HOME, termsOf(home)],
      [SPOKEN, termsOf(spoken)],
      [NAME, nouns.union(calledTerms)],
      [DESCRIPTION, termsOf(splitWords(description)).union(verbTerms)],
      [PURPOSE, termsOf(purpose)],
    ],
    doings: doings(),
    nameLength: nouns.size,
    objects: [...[...nouns].slice(-1), ...calledTerms],
    isPlural: isPlural(name.at(-1) ?? ''),
  };

  /** Reads the verb that a name begins with, and one after "or": create_or_update_file. */
  function doingsOfName(): string[] {
    const words = name.filter((word) => !home.includes(word));
    const verbs = words.map((word) => actionOf(stem(word)));
    const first = verbs.slice(0, 2).find((action) => action !== undefined);
    const second = verbs.find((action, at) => action !== undefined && words[at - 1] === 'or');
    return [first, second].filter((action) => action !== undefined);
  }

  function doings(): Doing[] {
    const found = new Map<string, number>();
    const note = (word: string, sureness: number): void => {
      const action = actionOf(stem(word));
      if (action !== undefined) found.set(action, Math.max(sureness, found.get(action) ?? 0));
    };
    // The first sentence says what a tool does with verbs that begin its clauses.
    const [sentence = ''] = description.split(/[.;:] /);
    for (const [, word = ''] of sentence.matchAll(CLAUSE_STARTS))
      if (!word.endsWith('s')) note(word.toLowerCase(), DESCRIBED);
    for (const verbs of purposes.match(VERBS) ?? []) for (const word of splitWords(verbs)) note(word, SAID);
    for (const action of named) found.set(action, 1);
    if (found.size === 0 && tool.access !== undefined) found.set(BY_ACCESS[tool.access], DESCRIBED);
    return [...found].map(([action, sureness]) => ({ action, sureness }));
  }
}
