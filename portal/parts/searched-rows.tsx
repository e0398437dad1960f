// A list of rows with a search above it, once there are more than a look takes in: what it leaves is counted, or said to
// be nothing.
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { NoMatch } from './no-match.tsx';
import { type Gone, Rows } from './rows.tsx';
import { SearchField } from './search-field.tsx';

const FEW = 10;

interface Props {
  words: {
    title: string;
    search: string;
    found: (count: number, all: number) => string;
    noMatch: (query: string) => string;
  };
  query: string;
  onQuery: (query: string) => void;
  /** How many there are without the search. */
  all: number;
  gone: Gone | undefined;
  /** What the search has found. */
  children: VNode[];
}

export function SearchedRows({ words, query, onQuery, all, gone, children }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const found = children.length;
  // While something is searched for, the field stays, also when a row goes.
  const isSearched = all > FEW || (all > 0 && query !== '');

  return (
    <>
      {isSearched && (
        <div class="list-search">
          <SearchField label={words.search} value={query} onChange={onQuery} field={field} />
          <p class="muted" role="status">
            {words.found(found, all)}
          </p>
        </div>
      )}
      {isSearched && found === 0 && (
        <NoMatch title={words.noMatch(query)} field={field} onShowAll={() => onQuery('')} />
      )}
      <Rows label={words.title} gone={gone}>
        {children}
      </Rows>
    </>
  );
}
