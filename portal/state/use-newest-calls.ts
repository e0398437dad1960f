// Loads the newest tool calls, and polls them every few seconds while the component waits for a call.
import { type AuditPage, fetchAudit } from '../api/audit.ts';
import { usePoll } from './use-poll.ts';
import { type Resource, useResource } from './use-resource.ts';

const POLL_MS = 3000;

export const NEWEST_CALLS = 'newest-calls';

export function fetchNewestCalls(): Promise<AuditPage> {
  return fetchAudit({ integration: '', success: '' });
}

export function useNewestCalls(isWaiting: (newest: AuditPage) => boolean): Resource<AuditPage> {
  const newest = useResource(NEWEST_CALLS, fetchNewestCalls);
  usePoll(newest.data === undefined || isWaiting(newest.data), POLL_MS, newest.look);
  return newest;
}
