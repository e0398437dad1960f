// Gives back the memory that only the start has used: V8 keeps it for objects to come, and an idle gateway makes few.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The first chores are over by then. */
const AFTER_MS = 3_000;

export function trimMemorySoon(): void {
  setTimeout(trimMemory, AFTER_MS).unref();
}

export function trimMemory(): void {
  // Contexts that are made while the flag is set have the function.
  setFlagsFromString('--expose-gc');
  // V8 documents its one argument.
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  // The compile cache of the next start takes only what was compiled with the same flags.
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
