// Searches the calls, and offers the tools that the words may mean.
import type { RefObject } from 'preact';
import { SearchField } from '../../parts/search-field.tsx';
import { setQuery } from '../../router/location.ts';
import { useRankedTools } from '../../state/use-ranked-tools.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.activity;
const MAX_TOOLS = 5;

interface Props {
  query: string;
  onQuery: (query: string) => void;
  field: RefObject<HTMLInputElement | null>;
}

export function Search({ query, onQuery, field }: Props) {
  // The gateway ranks the tools as it does for agents, and forgives typing errors.
  const { found } = useRankedTools(query, MAX_TOOLS);
  return (
    <div class="calls-search">
      <SearchField label={words.search} value={query} onChange={onQuery} field={field} />
      {found.length > 0 && (
        <div class="meant" role="group" aria-label={words.meant}>
          <span class="muted">{words.meant}</span>
          {found.map(({ name }) => (
            <button
              key={name}
              type="button"
              class="chip"
              onClick={() => {
                onQuery('');
                setQuery({ tool: name, q: '' });
                field.current?.focus();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
