// Does something again and again, while it is wanted and the page can be seen.
import { useEffect } from 'preact/hooks';
import type { Resource } from './use-resource.ts';

const FIRST_MS = 4000;
const EVERY_MS = 30_000;

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

/** What has been loaded, from then on. */
export function usePollOf<T>({ data, look }: Resource<T>, everyMs = EVERY_MS): void {
  usePoll(data !== undefined, everyMs, look);
}

/** A list that agents add to while people look on: often while it is empty, for its page says how to come by a first one. */
export function usePollOfList<T>(list: Resource<T[]>): void {
  usePollOf(list, list.data?.length === 0 ? FIRST_MS : EVERY_MS);
}
