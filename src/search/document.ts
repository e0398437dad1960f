// Reads what a tool is from its texts: the terms of each field, what it does, and what it is about.
import type { Access } from '../kit/integration.ts';
import type { Words } from '../kit/words.ts';
import { USUAL_PURPOSES } from './usual-purposes.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, splitName, splitWords, stem } from './stems.ts';

// Fields are bits, so that one number says which fields of a tool contain a term.
export const NAME = 1;
export const DESCRIPTION = 2;
export const HOME = 4;
export const PURPOSE = 8;
export const SPOKEN = 16;

const MAX_DESCRIPTION = 400;
const MAX_IMPORTED_DESCRIPTION = 1_024;
// Bounds the memory of an import whose descriptions are only different words. Real descriptions have fewer.
const MAX_IMPORTED_TERMS = 64;

// A description that names everything says little about anything. The descriptions of imported tools come from outside:
// each of their words counts less when there are more of them than a plain sentence has. decision: 033
const FULL_TERMS = 16;
const FULL_VERBS = 2;

// How sure a verb is by where it stands. The verb of the name is certain.
const DESCRIBED = 0.8;
const SAID = 0.85;

/** The words before a colon. */
const VERBS = /[^:;]*:/g;
const CLAUSE_STARTS = /(?:^|, (?:or |and )?| or )(\p{L}+)/gu;
const FIRST_WORD = /^\p{L}+/u;
const BY_ACCESS: Readonly<Record<Access, string>> = { read: 'get', write: 'update', destroy: 'delete' };

export type Searchable = {
  name: string;
  description: string;
  integration: string;
  access?: Access;
  /** What the integration adds to the texts of its tools. An import adds nothing. */
  words?: Words | undefined;
  /** The arguments of an imported tool. Ours would be built only for this. */
  schema?: (() => unknown) | undefined;
};

/** What a tool does, and how sure its texts make that. */
export type Doing = { action: string; sureness: number };

/** What the texts of a tool contain. Only building the index needs it. */
export interface Texts {
  /** The words that a mistyped word may mean: those of all texts, or only of the names of an imported tool. */
  words: readonly string[];
  fields: readonly (readonly [field: number, terms: ReadonlySet<string>])[];
}

export interface Document {
  doings: readonly Doing[];
  /** The number of terms in the name, without its integration and its verb. */
  nameLength: number;
  /** The last term of the name, which says what the tool is about (comments, in list_issue_comments), and its other names. */
  objects: readonly string[];
  /** The synonym groups of the objects. */
  objectGroups: readonly string[];
  isPlural: boolean;
  /** From 0 to 1: how much a term of the description counts. It is below 1 for long descriptions of imported tools. */
  descriptionShare: number;
}

export function readDocument(
  vocabulary: Vocabulary,
  tool: Searchable,
  isImported: boolean,
): { texts: Texts; document: Document } {
  const { termsOf } = vocabulary;
  const { actionOf } = vocabulary.actions;
  const { integration, words = {} } = tool;
  const home = splitWords(integration);
  const spoken = splitWords(words.spoken ?? '');
  const name = splitName(tool.name);
  const description = tool.description.slice(0, isImported ? MAX_IMPORTED_DESCRIPTION : MAX_DESCRIPTION);
  const purposes = `${words.tools?.[tool.name] ?? ''}; ${USUAL_PURPOSES.get(tool.name.slice(integration.length + 1)) ?? ''}`;
  const purpose = splitWords(purposes.replaceAll(VERBS, ''));
  const named = doingsOfName();
  const nameTerms = termsOf(name).difference(termsOf(home));
  // What a tool does is compared as an action: "my schedule" does not mean slack_schedule_message.
  const verbTerms = new Set([...nameTerms].filter((term) => named.includes(actionOf(term) ?? '')));
  const nouns = nameTerms.difference(verbTerms);
  const called = Object.entries(words.called ?? {}).filter(([word]) => nameTerms.has(stem(word)));
  const calledTerms = termsOf(called.map(([, other]) => other));
  const described = splitWords(description);
  const describedTerms = termsOf(described);
  const objects = [...[...nouns].slice(-1), ...calledTerms];
  return {
    texts: {
      words: [
        ...home,
        ...splitWords(words.owned ?? ''),
        ...spoken,
        ...name,
        ...(isImported ? [] : [...described, ...purpose]),
      ],
      fields: [
        [HOME, termsOf(home)],
        [SPOKEN, termsOf(spoken)],
        [NAME, nouns.union(calledTerms)],
        [DESCRIPTION, (isImported ? firstOf(describedTerms) : describedTerms).union(verbTerms)],
        [PURPOSE, termsOf(purpose)],
      ],
    },
    document: {
      doings: doings(),
      nameLength: nouns.size,
      objects,
      objectGroups: objects.flatMap(vocabulary.groupsOf),
      isPlural: isPlural(name.at(-1) ?? ''),
      descriptionShare: isImported ? shareOf(FULL_TERMS, describedTerms.size) : 1,
    },
  };

  /** Reads the verb that a name begins with, and one after "or": create_or_update_file. */
  function doingsOfName(): string[] {
    const parts = name.filter((word) => !home.includes(word));
    const verbs = parts.map((word) => actionOf(stem(word)));
    const first = verbs.slice(0, 2).find((action) => action !== undefined);
    const second = verbs.find((action, at) => action !== undefined && parts[at - 1] === 'or');
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
    if (isImported) {
      // Others begin a description with "Returns"; ours begin with "Get".
      note((FIRST_WORD.exec(sentence)?.[0] ?? '').toLowerCase(), DESCRIBED);
      const share = shareOf(FULL_VERBS, found.size);
      for (const [action, sureness] of found) found.set(action, sureness * share);
    }
    for (const verbs of purposes.match(VERBS) ?? []) for (const word of splitWords(verbs)) note(word, SAID);
    for (const action of named) found.set(action, 1);
    if (found.size === 0 && tool.access !== undefined) found.set(BY_ACCESS[tool.access], DESCRIBED);
    return [...found].map(([action, sureness]) => ({ action, sureness }));
  }
}

const shareOf = (full: number, count: number): number => Math.min(1, full / Math.max(1, count));

const firstOf = (terms: ReadonlySet<string>): Set<string> => new Set([...terms].slice(0, MAX_IMPORTED_TERMS));
