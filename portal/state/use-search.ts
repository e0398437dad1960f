// Holds the search text of a page. The address carries it too, so that people can bookmark a search and return to it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery, useLocation } from '../router/location.ts';

const WRITE_AFTER_MS = 250;

export function useSearch(): [string, (query: string) => void] {
  const addressed = useLocation().query.get('q') ?? '';
  const [query, setWords] = useState(addressed);

  // Changes the address only when the person stops typing: browsers limit how often it may change.
  const written = useRef(addressed);
  useEffect(() => {
    const timer = setTimeout(() => {
      written.current = query;
      setQuery({ q: query });
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [query]);
  useEffect(() => {
    if (addressed === written.current) return;
    written.current = addressed;
    setWords(addressed);
  }, [addressed]);

  return [query, setWords];
}
