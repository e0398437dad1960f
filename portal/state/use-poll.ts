// Repeats work while it is wanted and the page is visible.
import { useEffect } from 'preact/hooks';
import type { Resource } from './use-resource.ts';

/** How often a page with a live list of calls looks for new ones. */
export const LIVE_MS = 5000;
const EMPTY_LIST_MS = 4000;
const POLL_MS = 30_000;

export function usePoll(wanted: boolean, everyMs: number, work: () => void): void {
  useEffect(() => {
    if (!wanted) return;
    const ifSeen = () => {
      if (document.visibilityState === 'visible') work();
    };
    const timer = setInterval(ifSeen, everyMs);
    document.addEventListener('visibilitychange', ifSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ifSeen);
    };
  }, [wanted, everyMs]);
}

/** Polls a resource once it has loaded. */
export function usePollOf<T>({ data, look }: Resource<T>, everyMs = POLL_MS): void {
  usePoll(data !== undefined, everyMs, look);
}

/** Polls a list that agents add to. Polls an empty list more often, because its page says how to add a first item. */
export function usePollOfList<T>(list: Resource<T[]>): void {
  usePollOf(list, list.data?.length === 0 ? EMPTY_LIST_MS : POLL_MS);
}
