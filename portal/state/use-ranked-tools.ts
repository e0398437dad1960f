// Asks the gateway which tools fit a query best, while the person types.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { fetchRankedTools, type Tool } from '../api/tools.ts';

const ASK_AFTER_MS = 120;
const NONE: readonly Tool[] = [];

interface Ranked {
  query: string;
  found: readonly Tool[];
  hasFailed: boolean;
}

/** Keeps the last answer until the next one is there, so that the list does not flicker. */
export function useRankedTools(
  query: string,
  limit: number,
): { found: readonly Tool[]; isSearching: boolean; hasFailed: boolean } {
  const wanted = query.trim();
  const [ranked, setRanked] = useState<Ranked>({ query: '', found: NONE, hasFailed: false });

  useEffect(() => {
    if (wanted === '') return;
    const asked = new AbortController();
    const timer = setTimeout(() => {
      fetchRankedTools(wanted, limit, asked.signal).then(
        (found) => setRanked({ query: wanted, found, hasFailed: false }),
        (error: unknown) => {
          if (asked.signal.aborted) return;
          if (!(error instanceof ApiError)) throw error;
          setRanked({ query: wanted, found: NONE, hasFailed: true });
        },
      );
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [wanted, limit]);

  if (wanted === '') return { found: NONE, isSearching: false, hasFailed: false };
  return { ...ranked, isSearching: ranked.query !== wanted };
}
