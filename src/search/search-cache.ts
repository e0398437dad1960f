// Keeps what every gateway of a process searches with: the word vectors, and the indexes of imports that did not change. decision: 033
import { createLru } from '../memory/lru.ts';
import type { Assets } from '../ports/assets.ts';
import type { Segment } from './segment.ts';
import { readWordVectors, type WordVectors } from './word-vectors.ts';

/** The file comes with the portal: on an edge runtime that is where files are. */
export const WORDS_PATH = 'search/words.bin';

// Bounds what is kept of imports that nobody searches. An edge runtime has 128 MB.
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
// What a tool takes beside its texts, and its texts as an index.
const BYTES_OF_TOOL = 400;
const BYTES_OF_CHARACTER = 6;

export interface SearchCache {
  /**
   * Returns the segment that was kept by this name if its tools have the same `marks`, such as the digests of their
   * definitions. Otherwise makes and keeps another one.
   */
  segment: (name: string, marks: readonly string[], make: () => Segment) => Segment;
  /** Reads the word vectors once. Null where there is no such file. */
  words: (assets: Pick<Assets, 'get'>) => Promise<WordVectors | null>;
}

export function createSearchCache(): SearchCache {
  const segments = createLru<{ marks: readonly string[]; segment: Segment }>(MAX_KEPT_BYTES);
  let words: WordVectors | null | undefined;

  return {
    segment(name, marks, make) {
      const kept = segments.get(name);
      if (kept !== undefined && isSame(kept.marks, marks)) return kept.segment;
      const segment = make();
      const texts = segment.tools.reduce((sum, tool) => sum + tool.name.length + tool.description.length, 0);
      segments.set(name, { marks, segment }, texts * BYTES_OF_CHARACTER + marks.length * BYTES_OF_TOOL);
      return segment;
    },

    // Requests do not share the read: on an edge runtime none may wait for the work of another.
    async words(assets) {
      if (words === undefined) {
        const file = await assets.get(WORDS_PATH);
        words ??= file === null ? null : readOrNull(file.body);
      }
      return words;
    },
  };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((mark, at) => mark === other[at]);

/** A platform may answer another file for a missing one. */
function readOrNull(bytes: Uint8Array): WordVectors | null {
  try {
    return readWordVectors(bytes);
  } catch {
    return null;
  }
}
