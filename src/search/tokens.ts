// Reads the words of a query: names shapes, replaces idioms, translates German and French, and corrects spelling.
import { ARTICLES, LEADS } from './grammar.ts';
import { IMPORTED_SPLIT_VERBS, SPLIT_VERBS } from './idioms.ts';
import type { Index } from './joined-index.ts';
import { splitWords, stem } from './stems.ts';

// Real queries are shorter. The limits bound the cost of a hostile query.
const MAX_CHARACTERS = 2_000;
const MAX_WORDS = 32;
const MAX_IDIOM_WORDS = 4;
const MAX_SPLIT_WORDS = 8;

/** The weight of a word after zero, one and two corrected letters. */
const SURENESS = [1, 0.8, 0.65];
const SHORT_WORD = 5;
const DOUBTFUL = 0.5;

/** An English word, what it is in the sentence as far as another language or an idiom says so, and what was typed. */
export type Token = {
  word: string;
  weight: number;
  kind: Kind;
  raw: string;
  /** The typed word was replaced by another one, but imported tools contain it. */
  isImported?: boolean;
  /** What our own vocabulary makes of a word that is read as the name of an imported tool has it. */
  meant?: readonly string[];
};
type Kind = 'verb' | 'participle' | 'noun' | 'unsure';

/** For whom a query is read: the words that names of imported tools contain stay as typed for them. */
export type Reader = 'own' | 'imported';

export function readTokens(index: Index, query: string, reader: Reader): Token[] {
  const { idioms, languages, verbSenses, isTelling } = index.vocabulary;
  const words = splitWords(nameShapes(index, query.slice(0, MAX_CHARACTERS))).slice(0, MAX_WORDS);
  const tokens: Token[] = [];
  for (let at = 0; at < words.length;) {
    const found = idiomAt(at) ?? { tokens: tokensOfWord(at), length: 1 };
    tokens.push(...found.tokens);
    at += found.length;
  }
  return tokens;

  function idiomAt(start: number): { tokens: Token[]; length: number } | undefined {
    for (let length = Math.min(MAX_IDIOM_WORDS, words.length - start); length > 1; length--) {
      const raw = words.slice(start, start + length).join(' ');
      const foreign = languages.phrases.get(raw);
      const meaning = idioms.get(raw) ?? foreign?.words;
      if (meaning !== undefined)
        return { length, tokens: spell(index, meaning, raw, foreign?.isVerb ?? true) };
    }
    return undefined;
  }

  function tokensOfWord(at: number): Token[] {
    const raw = words[at] ?? '';
    const split = SPLIT_VERBS.find(
      ([verb, rest]) => verb === raw && words.slice(at + 1, at + MAX_SPLIT_WORDS).includes(rest),
    );
    if (split !== undefined) return spell(index, [split[2]], raw, true);
    const named = IMPORTED_SPLIT_VERBS.find(
      ([verb, rest, name]) =>
        verb === raw &&
        words.slice(at + 1, at + MAX_SPLIT_WORDS).includes(rest) &&
        index.isImportedName(name),
    );
    if (reader === 'imported' && named !== undefined)
      return [{ word: named[2], weight: 1, kind: 'noun', raw, meant: [] }];
    const isFirst = !tokens.some((token) => isTelling(stem(token.word)));
    const sense = verbSenses.get(raw);
    const next = words[at + 1];
    const before = words[at - 1] ?? '';
    const isVerbPlace = LEADS.has(before) || (isFirst && !ARTICLES.has(before));
    if (sense !== undefined && isVerbPlace && isNoNoun(next)) return spell(index, sense, raw, true);
    return reader === 'imported' ? understandName(index, raw) : understand(index, raw);
  }

  /** A name or an article after a noun shows that the noun is used as a verb: "email Bob", "page the team". */
  function isNoNoun(word: string | undefined): boolean {
    if (word === undefined || languages.isStop(word)) return false;
    if (ARTICLES.has(word)) return true;
    const isWord = index.own.knows(word) || languages.translate(word) !== undefined;
    return !isWord && index.own.correct(word) === undefined;
  }
}

const FILE_NAME =
  /(?<=^|\s)[\w./-]*\w\.(?:[cm]?[jt]sx?|py|md|txt|ya?ml|json|csv|pdf|png|jpe?g|html?|css|go|rs|java|docx?|xlsx?|sql|sh|toml|log|xml|zip)\b/gi;
const HOST_NAME = /(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|de|fr|eu|ai|app|gov|edu)\b/gi;

/** Names what can be told by its shape: an address, a file, the key of a ticket, a channel. */
function nameShapes(index: Index, text: string): string {
  return text
    .replaceAll(/\bhttps?:\/\/\S+/gi, ' url ')
    .replaceAll(/\b(?:cve|ghsa)-[\w-]+/gi, ' vulnerabilityid ')
    .replaceAll(/(?<![^\s@])[^\s@]+@[^\s@]+/g, ' email ')
    .replaceAll(/\b([a-z]{2,10})-\d+\b/gi, (_, key: string) =>
      index.isHome(stem(key.toLowerCase())) ? ` ${key} issue ` : ' issuekey ',
    )
    .replaceAll(/(?<=^|\s)#[a-z][\w-]*/gi, ' channel ')
    .replaceAll(/\b\d{1,2}(?:[:.]\d{2})?\s?[ap]m\b|\b\d{1,2}:\d{2}\b/gi, ' clocktime ')
    .replaceAll(FILE_NAME, ' file ')
    .replaceAll(HOST_NAME, ' website ');
}

/** Makes tokens of a known meaning. When it is what somebody does, its first word is the verb. */
function spell({ vocabulary }: Index, meaning: readonly string[], raw: string, isVerb: boolean): Token[] {
  return meaning.map((word, place) => ({
    word,
    weight: 1,
    raw,
    kind: isVerb && place === 0 && vocabulary.actions.actionOf(stem(word)) !== undefined ? 'verb' : 'noun',
  }));
}

/** Keeps a word that the name of an imported tool contains, although our vocabulary has another word for it. */
function understandName(index: Index, raw: string): Token[] {
  const tokens = understand(index, raw);
  const isReplaced = tokens.some(({ word }) => word !== raw) && !index.vocabulary.languages.isStop(raw);
  if (!isReplaced || !index.isImportedName(raw)) return tokens;
  return [{ word: raw, weight: 1, raw, kind: 'unsure', meant: tokens.map(({ word }) => stem(word)) }];
}

/** Reads one word: what another language, two words in one or a typing error mean by it. */
export function understand(index: Index, raw: string): Token[] {
  const { languages, actions } = index.vocabulary;
  const unsure = (word: string, weight: number): Token => ({ word, weight, raw, kind: 'unsure' });
  if (index.own.knows(raw)) return [unsure(raw, 1)];
  // A foreign stop word becomes an English one.
  if (languages.isStop(raw)) return [unsure('the', 1)];
  const foreign = languages.translate(raw);
  const isImported = index.imported.knows(raw);
  if (foreign !== undefined) {
    const tokens = spell(index, foreign.words, raw, foreign.isVerb).map((token) => ({
      ...token,
      isImported,
    }));
    return foreign.isParticiple ? tokens.map((token) => ({ ...token, kind: 'participle' })) : tokens;
  }
  // An imported text may contain "calender", which must not hide the calendar from people who mistype it.
  if (isImported) {
    const meant = index.own.correct(raw);
    const isSlip = meant?.slips === 1 && !isDoubtful(raw, meant.word);
    return isSlip ? [{ ...unsure(meant.word, SURENESS[1] ?? 0), isImported }] : [unsure(raw, 1)];
  }
  const loan = languages.loanStems(raw).find((word) => actions.actionOf(stem(word)) !== undefined);
  if (loan !== undefined) return [{ word: loan, weight: 1, raw, kind: 'verb' }];
  const meant = index.own.correct(raw) ?? index.imported.correct(raw);
  // One typing error is more likely than two words written as one. Two errors are less likely.
  const parts = meant?.slips === 1 ? undefined : index.split(raw);
  if (parts !== undefined) return parts.map((part) => unsure(part, 1));
  if (meant === undefined) return [unsure(raw, 1)];
  return [unsure(meant.word, isDoubtful(raw, meant.word) ? DOUBTFUL : (SURENESS[meant.slips] ?? 0))];
}

/** A short word with another letter may be a name: "Paris" is hardly "parts". */
function isDoubtful(raw: string, meant: string): boolean {
  const letters = (word: string): string => word.split('').toSorted().join('');
  return raw.length <= SHORT_WORD && raw.length === meant.length && letters(raw) !== letters(meant);
}
