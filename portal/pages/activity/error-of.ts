// Says in one sentence why a call failed, where its outcome does not say it already. The service's own words stand behind it.
import type { AuditEntry } from '../../api/audit.ts';
import { outcomeOf } from '../../parts/call-outcome.ts';
import { explainFailure } from '../../parts/explain-failure.ts';
import { failureWords } from '../../texts/failure-words.ts';

export interface ShownError {
  short: string;
  /** What the service or the gateway wrote. */
  raw: string;
}

export function errorOf(
  { error, outcome }: Pick<AuditEntry, 'error' | 'outcome'>,
  integration: string,
): ShownError | undefined {
  if (error === null) return undefined;
  const ended = outcomeOf({ success: false, error, outcome });
  if (ended !== 'failed' && ended !== 'unknown') return undefined;
  if (ended === 'unknown') return { short: failureWords.unknown(integration).what, raw: error };
  return { short: explainFailure(error, integration)?.what ?? error, raw: error };
}
