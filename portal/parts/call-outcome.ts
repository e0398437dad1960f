// Tells how a call of the audit ended.
import type { AuditEntry } from '../api/audit.ts';
import type { LampColour } from './lamp.tsx';

const DECIDED = ['blocked', 'asked', 'approved', 'denied', 'expired', 'unknown'] as const;

export type CallOutcome = 'succeeded' | 'failed' | 'stopped' | (typeof DECIDED)[number];

/** What the gateway writes about a call whose caller stopped it. reference: Audit */
const STOPPED = 'Cancelled by the caller';

export function outcomeOf({
  success,
  error,
  outcome,
}: Pick<AuditEntry, 'success' | 'error' | 'outcome'>): CallOutcome {
  const decided = DECIDED.find((each) => each === outcome);
  if (decided !== undefined) return decided;
  if (success) return 'succeeded';
  return error === STOPPED ? 'stopped' : 'failed';
}

const COLOURS: Record<CallOutcome, LampColour> = {
  succeeded: 'green',
  failed: 'red',
  stopped: 'off',
  blocked: 'amber',
  asked: 'amber',
  approved: 'green',
  denied: 'off',
  expired: 'off',
  unknown: 'amber',
};

export const colourOf = (outcome: CallOutcome): LampColour => COLOURS[outcome];
