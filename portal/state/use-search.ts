// What is searched for on this page. It stands in the address too, so that it can be kept and come back to.
import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery, useLocation } from '../router/location.ts';

const REST_MS = 250;

export function useSearch(): [string, (query: string) => void] {
  const addressed = useLocation().query.get('q') ?? '';
  const [query, setWords] = useState(addressed);

  // Into the address once the fingers rest: browsers count how often it changes.
  const written = useRef(addressed);
  useEffect(() => {
    const timer = setTimeout(() => {
      written.current = query;
      setQuery({ q: query });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [query]);
  useEffect(() => {
    if (addressed === written.current) return;
    written.current = addressed;
    setWords(addressed);
  }, [addressed]);

  return [query, setWords];
}

/** Whether a text has every word that is searched for. */
export function hasWords(text: string, query: string): boolean {
  const haystack = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
