// Takes secrets or personal data out of the text files that a tool keeps, before they are kept. decision: 063
import { createJsonCleaner, createTextCleaner } from '../json/sensitive-stream.ts';
import { type Removed, removeSensitive, type Wanted } from '../json/sensitive.ts';
import { type Bytes, textOf } from '../kit/binary.ts';
import type { ToolFiles } from '../kit/files.ts';
import type { Clock } from '../ports/clock.ts';

/** Other requests run after each piece: some ten milliseconds. */
const PIECE_CHARACTERS = 131_072;

interface Needs {
  clock: Pick<Clock, 'turn'>;
  wanted: Wanted;
  removed: Removed;
}

/** Files that are no text in UTF-8 are kept as they are. */
export function cleanFiles(files: ToolFiles, { clock, wanted, removed }: Needs): ToolFiles {
  async function clean(bytes: Bytes, mimeType: string): Promise<Bytes> {
    const text = textOf(bytes);
    if (text === null) return bytes;
    const create = /\bjson\b/i.test(mimeType) ? createJsonCleaner : createTextCleaner;
    const cleaner = create(wanted, removed);
    const left: string[] = [];
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      left.push(cleaner.push(text.slice(at, at + PIECE_CHARACTERS)));
      await clock.turn();
    }
    left.push(cleaner.end());
    const whole = left.join('');
    return whole === text ? bytes : new TextEncoder().encode(whole);
  }

  return {
    read: (reference, maxBytes) => files.read(reference, maxBytes),
    async save({ bytes, name, mimeType }) {
      const cleaned = await clean(bytes, mimeType);
      return files.save({ bytes: cleaned, name: removeSensitive(name, wanted, removed), mimeType });
    },
  };
}
