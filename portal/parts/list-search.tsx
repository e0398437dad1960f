// The search above a list of rows, once there are more than a look takes in: what it leaves is counted, or said to be nothing.
import { useRef } from 'preact/hooks';
import { texts } from '../texts.ts';
import { Empty } from './empty.tsx';
import { SearchField } from './search-field.tsx';

const FEW = 10;

interface Props {
  words: {
    search: string;
    found: (count: number, all: number) => string;
    noMatch: (query: string) => string;
  };
  query: string;
  onQuery: (query: string) => void;
  found: number;
  all: number;
}

export function ListSearch({ words, query, onQuery, found, all }: Props) {
  const field = useRef<HTMLInputElement>(null);

  // While something is searched for, the field stays, also when a row goes.
  if (all === 0 || (all <= FEW && query === '')) return null;
  return (
    <>
      <div class="list-search">
        <SearchField label={words.search} value={query} onChange={onQuery} field={field} />
        <p class="muted" role="status">
          {words.found(found, all)}
        </p>
      </div>
      {found === 0 && (
        <Empty title={words.noMatch(query)} lead={texts.noMatchLead}>
          <button
            type="button"
            class="button"
            onClick={() => {
              onQuery('');
              field.current?.focus();
            }}
          >
            {texts.actions.showAll}
          </button>
        </Empty>
      )}
    </>
  );
}
