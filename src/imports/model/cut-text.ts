// Keeps the beginning of a text that is too long to be read, and marks it as cut.
import { EgressFailure } from '../../egress/failure.ts';

/** A model reads far less, and `read_result` shows it in parts. */
export const SHOWN_CHARACTERS = 1024 * 1024;

/** Whether an answer ended because it has more bytes than one may have. */
export const isTooLarge = (error: unknown): error is EgressFailure =>
  error instanceof EgressFailure && error.reason === 'too-large';

/** `error` says how long the answer is. */
export function markCut(text: string, error: EgressFailure): string {
  const shown = text.slice(0, SHOWN_CHARACTERS).toWellFormed();
  const count = shown.length.toLocaleString('en');
  return `${shown}\n\n[Cut here after ${count} characters. ${error.message}. Ask for less of it.]`;
}
