// Counts the registrations of this process. reference: Client registration; decision: 020
import { REGISTRATIONS_BETWEEN_TRIMS } from './limits.ts';
import type { Clock } from '../ports/clock.ts';

export interface Registrations {
  /** Returns the place of a new registration among all, and whether never-used clients are due to be trimmed. */
  next(): { turn: number; trims: boolean };
}

export function createRegistrations(clock: Clock): Registrations {
  let turn = 0;
  let count = 0;
  return {
    next() {
      // Many registrations share a second.
      turn = Math.max(turn + 1, clock.now() * 1000);
      return { turn, trims: count++ % REGISTRATIONS_BETWEEN_TRIMS === 0 };
    },
  };
}
