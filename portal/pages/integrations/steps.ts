// Tells which of the first steps the person has taken.
import type { AuditPage } from '../../api/audit.ts';
import type { Resource } from '../../state/use-resource.ts';

export interface Steps {
  /** False until the page knows whether to show the steps. */
  isKnown: boolean;
  hidden: boolean;
  hide: () => void;
  newest: Resource<AuditPage>;
}

/** Runs in the portal do not count, because no client made them, and neither do failed calls. */
export function hasClient({ entries }: AuditPage): boolean {
  return entries.some(({ success, actor }) => success && actor !== null && actor !== 'session');
}

/** Whether any tool ran, in the portal or through a client. */
export function hasRun({ entries }: AuditPage): boolean {
  return entries.some(({ success }) => success);
}
