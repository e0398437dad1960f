// Renders a list of rows, with a search field and the number of matches above a long list.
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { NoMatch } from './no-match.tsx';
import { Rows } from './rows.tsx';
import { SearchField } from './search-field.tsx';
import type { ListSearch } from './use-list-search.ts';

const MAX_WITHOUT_SEARCH = 10;

interface Props {
  words: {
    title: string;
    search: string;
    found: (count: number, all: number) => string;
    noMatch: (query: string) => string;
  };
  search: ListSearch;
  /** The number of rows without a search. */
  all: number;
  /** How the list looks; absent is rows. */
  class?: string;
  /** The rows that match the search. */
  children: VNode[];
}

export function SearchableRows({
  words,
  search: { query, onQuery, removed },
  all,
  class: more,
  children,
}: Props) {
  const field = useRef<HTMLInputElement>(null);
  const found = children.length;
  // The field stays during a search, even when a removed row makes the list short.
  const isSearched = all > MAX_WITHOUT_SEARCH || (all > 0 && query !== '');

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
      <Rows label={words.title} removed={removed} class={more}>
        {children}
      </Rows>
    </>
  );
}
