// Gives a script the answers that its ledger has, in the order in which it got them, and writes each new answer down before the
// script sees it. decision: 059
import type { ScriptAnswer, ScriptCall } from '../ports/script-runner.ts';
import type { KeptCall } from './kept-run.ts';

/** An answer of the ledger, by the number of its call. */
export interface Entry {
  /** Null for a call that waits for a person. */
  place: number | null;
  kept: KeptCall;
}

interface Needs {
  digest: { sha256(text: string): string };
  entries: ReadonlyMap<number, Entry>;
  /** Stores an entry. Returns false when another process has the run. */
  write: (position: number, entry: Entry) => Promise<boolean>;
  /** Another process has the run, or the script does not repeat itself. No answer follows. */
  onLost: (why: 'taken' | 'other') => void;
}

export interface Ledger {
  /** Returns the answer of an earlier sitting at its turn. Undefined where the ledger has none. */
  answerOf(call: ScriptCall): Promise<ScriptAnswer> | undefined;
  /** The entry of a call that waited for a person. */
  waited(call: ScriptCall): KeptCall | undefined;
  /** Resolves when the script has got all that the ledger had at its beginning. */
  readonly replayed: Promise<void>;
  /** Whether the script asked for all of it. */
  isReplayed(): boolean;
  /** Notes an answer, and then gives it to the script, one after another. Without `give` the script does not get it now. */
  note(position: number, kept: KeptCall, give?: (answer: ScriptAnswer) => void): Promise<void>;
  /** Resolves when everything that was noted is stored. */
  written(): Promise<void>;
}

/** Names a call: the tool as the script wrote it, and everything that it sent. */
export const digestOfCall = (digest: Needs['digest'], { name, args, options }: ScriptCall): string =>
  digest.sha256(JSON.stringify([name, args, options]));

export function createLedger({ digest, entries, write, onLost }: Needs): Ledger {
  const total = [...entries.values()].filter(({ place }) => place !== null).length;
  const atTurn = new Map<number, () => void>();
  let given = 0;
  let placed = total;
  let tail = Promise.resolve();
  let isLost = false;
  const { promise: replayed, resolve: endReplay } = Promise.withResolvers<void>();
  if (total === 0) endReplay();

  function giveNext(): void {
    for (let give = atTurn.get(given); give !== undefined; give = atTurn.get(given)) {
      give();
      given++;
    }
    if (given === total) endReplay();
  }

  function lose(why: 'taken' | 'other'): void {
    if (isLost) return;
    isLost = true;
    onLost(why);
  }

  return {
    replayed,
    isReplayed: () => given === total,
    answerOf(call) {
      const entry = entries.get(call.index);
      if (entry === undefined) return undefined;
      if (entry.kept.digest !== digestOfCall(digest, call)) {
        lose('other');
        return new Promise(() => {});
      }
      const { place, kept } = entry;
      const { answer } = kept;
      if (place === null || answer === null) return undefined;
      return new Promise((resolve) => {
        atTurn.set(place, () => resolve(answer));
        giveNext();
      });
    },
    waited: ({ index }) => {
      const entry = entries.get(index);
      return entry?.place === null ? entry.kept : undefined;
    },
    note(position, kept, give) {
      // The order of the answers is that of these writes.
      const noted = tail.then(async () => {
        if (isLost) return;
        const { answer } = kept;
        const place = answer === null ? null : placed++;
        if (!(await write(position, { place, kept }))) lose('taken');
        else if (answer !== null) give?.(answer);
      });
      tail = noted.catch(() => {});
      return noted;
    },
    written: () => tail,
  };
}
