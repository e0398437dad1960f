// Asks a receiver that fails after 1, 2, 4 and so on rounds of the maintenance.
import { AUDIT_HEADS_BACK_OFF_ROUNDS } from './limits.ts';

export interface BackOff {
  /** Counts this round. Returns whether the receiver is left alone in it. */
  skips(): boolean;
  failed(): void;
  succeeded(): void;
}

export function createBackOff(): BackOff {
  let failures = 0;
  let skipped = 0;
  return {
    skips: () => failures > 0 && ++skipped < Math.min(2 ** (failures - 1), AUDIT_HEADS_BACK_OFF_ROUNDS),
    failed() {
      failures++;
      skipped = 0;
    },
    succeeded() {
      failures = 0;
    },
  };
}
