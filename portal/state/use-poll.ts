// Repeats work while it is wanted and the page is visible, and less often while nobody touches the page.
import { useEffect, useRef } from 'preact/hooks';
import { isIdle, whenBack } from './idle.ts';
import type { Resource } from './use-resource.ts';

/** How often a page with a live list of calls looks for new ones. */
export const LIVE_MS = 5000;
const EMPTY_LIST_MS = 4000;
const POLL_MS = 30_000;
/** How often an idle page does what a page in use does more often than that, and what it does less often. */
const IDLE_LIVE_MS = 30_000;
const IDLE_MS = 120_000;
const IDLE_COUNTS_MS = 600_000;

interface Options {
  /** How often the work is done while the page is idle. */
  idleMs?: number;
  /** Tells how often the work is done while nobody sees the page. Absent is never. */
  hiddenMs?: () => number | undefined;
}

export function usePoll(
  wanted: boolean,
  everyMs: number,
  work: () => void,
  { idleMs = everyMs < POLL_MS ? IDLE_LIVE_MS : IDLE_MS, hiddenMs = () => undefined }: Options = {},
): void {
  const current = useRef(work);
  current.current = work;
  useEffect(() => {
    if (!wanted) return;
    let last = Date.now();
    const look = () => {
      last = Date.now();
      current.current();
    };
    // A timer may fire a little early.
    const ifDue = () => {
      const isSeen = document.visibilityState === 'visible';
      const wait = isSeen ? (isIdle() ? idleMs : everyMs) : hiddenMs();
      if (wait !== undefined && Date.now() - last >= wait - everyMs / 2) look();
    };
    const ifSeen = () => {
      if (document.visibilityState === 'visible') look();
    };
    const timer = setInterval(ifDue, everyMs);
    const ignore = whenBack(ifDue);
    document.addEventListener('visibilitychange', ifSeen);
    return () => {
      clearInterval(timer);
      ignore();
      document.removeEventListener('visibilitychange', ifSeen);
    };
  }, [wanted, everyMs]);
}

/** Polls counts up to now, which are never the same again: an idle page asks for them seldom. */
export function usePollOfCounts<T>({ data, look }: Resource<T>): void {
  usePoll(data !== undefined, POLL_MS, look, { idleMs: IDLE_COUNTS_MS });
}

/** Polls a resource once it has loaded. */
export function usePollOf<T>({ data, look }: Resource<T>, everyMs = POLL_MS): void {
  usePoll(data !== undefined, everyMs, look);
}

/** Polls a list that agents add to. Polls an empty list more often, because its page says how to add a first item. */
export function usePollOfList<T>(list: Resource<T[]>): void {
  usePollOf(list, list.data?.length === 0 ? EMPTY_LIST_MS : POLL_MS);
}
