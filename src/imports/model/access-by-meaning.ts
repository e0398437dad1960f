// Decides by words what a tool can do, because sources say too little: a deletion may be a GET, or a POST without a hint.
import type { Access } from '../../kit/access.ts';

export interface Said {
  /** The source's own name of the tool, such as an operationId. */
  name: string;
  /** The path of an operation. */
  path?: string | undefined;
  description: string;
  /** What the source says with a method or with hints. Undefined when it says nothing. */
  access: Access | undefined;
}

export interface Meant {
  access: Access;
  /** Whether the words of the tool made it a deletion. */
  isRaised: boolean;
  /** Whether the name says that the tool only reads, and nothing else says what it does: a person may confirm it. */
  seemsToRead: boolean;
}

const DESTROYS =
  'delete remove destroy purge revoke archive void cancel kick reset wipe drop terminate'.split(' ');
const IN_NAMES = new Set(DESTROYS);
const IN_SENTENCES = new Set([...DESTROYS, ...DESTROYS.map((word) => `${word}s`)]);
const READS = new Set('get list read search find show describe count fetch'.split(' '));
/** A name with one of these says more than that it reads. */
const CHANGES = new Set(
  `and or then add apply approve assign change close convert copy create deploy disable edit enable execute export grant
   import insert invite lock make mark merge modify move open patch post publish push put rename replace restart run save
   send set share start stop store submit sync toggle trigger unlock unset update upload upsert write`.split(
    /\s+/,
  ),
);
/** A verb follows one of these. In a sentence about reading, the same word elsewhere names a thing: "the archive". */
const BEFORE_A_VERB = new Set('and or to will can may then it this tool which that also'.split(' '));
const MAX_TEXT = 1_000;

export function meaningOf({ name, path, description, access }: Said): Meant {
  const words = [...wordsIn(name), ...wordsIn(lastSegment(path))];
  const destroys = words.some((word) => IN_NAMES.has(word)) || saysSo(description, access === 'read');
  if (destroys) return { access: 'destroy', isRaised: access !== 'destroy', seemsToRead: false };
  const [first = ''] = wordsIn(name);
  const seemsToRead =
    (access === undefined || access === 'write') &&
    READS.has(first) &&
    !words.some((word) => CHANGES.has(word));
  return { access: access ?? 'write', isRaised: false, seemsToRead };
}

/** Parts of camelCase are words too. */
const wordsIn = (text: string): string[] =>
  text
    .slice(0, MAX_TEXT)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** Parameters are not constant, so `/users/{id}/delete` ends with `delete` and `/users/{id}` with `users`. */
const lastSegment = (path = ''): string =>
  path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';

function saysSo(description: string, reads: boolean): boolean {
  const [sentence = ''] = description
    .slice(0, MAX_TEXT)
    .trimStart()
    .split(/[.!?](?:\s|$)|\n/, 1);
  const words = wordsIn(sentence);
  return words.some((word, index) => {
    if (!IN_SENTENCES.has(word)) return false;
    const before = words[index - 1];
    return !reads || before === undefined || BEFORE_A_VERB.has(before) || before.endsWith('ly');
  });
}
