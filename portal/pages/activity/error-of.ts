// Says why a call failed, where its outcome does not say it already.
import type { AuditEntry } from '../../api/audit.ts';
import { outcomeOf } from '../../parts/call-outcome.ts';
import { texts } from '../../texts/texts.ts';

export function errorOf(
  { error, outcome }: Pick<AuditEntry, 'error' | 'outcome'>,
  integration: string,
): string | undefined {
  if (error === null) return undefined;
  const ended = outcomeOf({ success: false, error, outcome });
  if (ended !== 'failed' && ended !== 'unknown') return undefined;
  return error === 'NOT_CONNECTED' ? texts.activity.notConnected(integration) : error;
}
