// The newest tool call, looked for every few seconds for as long as the caller waits for one.
import { fetchNewestCall } from '../api/audit.ts';
import type { AuditEntry } from '../api/types.ts';
import { usePoll } from './use-poll.ts';
import { type Resource, useResource } from './use-resource.ts';

const EVERY_MS = 3000;

export function useNewestCall(
  isWaiting: (newest: AuditEntry | null) => boolean,
): Resource<AuditEntry | null> {
  const newest = useResource('newest-call', fetchNewestCall);
  usePoll(newest.data === undefined || isWaiting(newest.data), EVERY_MS, newest.reload);
  return newest;
}
