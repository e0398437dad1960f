// Holds the search of a list and the row that was removed from it. Another search forgets that row.
import { useState } from 'preact/hooks';
import { useSearch } from '../state/use-search.ts';
import type { RemovedRow } from './rows.tsx';

export interface ListSearch {
  query: string;
  onQuery: (query: string) => void;
  removed: RemovedRow | undefined;
  setRemoved: (removed?: RemovedRow) => void;
}

export function useListSearch(): ListSearch {
  const [query, search] = useSearch();
  const [removed, setRemoved] = useState<RemovedRow>();

  function onQuery(wanted: string): void {
    search(wanted);
    setRemoved(undefined);
  }

  return { query, onQuery, removed, setRemoved };
}
