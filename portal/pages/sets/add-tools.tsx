// Searches the tools of the gateway, and adds them to a set one by one.
import { useState } from 'preact/hooks';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useRankedTools } from '../../state/use-ranked-tools.ts';
import { setsTexts } from '../../texts/sets.ts';

const words = setsTexts.one;
const SHOWN = 8;
const MAX_TOOLS = 64;
/** Tools that are in the set already are left out of them. */
const MAX_RANKED = 50;

interface Props {
  chosen: readonly string[];
  onAdd: (tool: string) => Promise<void>;
}

export function AddTools({ chosen, onAdd }: Props) {
  const [query, setQuery] = useState('');
  const { found, isSearching, hasFailed } = useRankedTools(query, MAX_RANKED);
  const inSet = new Set(chosen);
  const offered = found.filter(({ name }) => !inSet.has(name)).slice(0, SHOWN);
  const isFull = chosen.length >= MAX_TOOLS;

  return (
    <section class="section" aria-labelledby="add-tools">
      <h2 id="add-tools" class="section-title">
        {words.add}
      </h2>
      {isFull ? (
        <p class="muted">{words.full}</p>
      ) : (
        <>
          <SearchField label={words.addSearch} value={query} onChange={setQuery} />
          <p class="muted" role="status">
            {hasFailed && words.failed}
            {!hasFailed &&
              query.trim() !== '' &&
              !isSearching &&
              offered.length === 0 &&
              words.noneFound(query)}
          </p>
          {offered.length > 0 && (
            <ul class="rows set-found" aria-label={words.add}>
              {offered.map(({ name, description, access }) => (
                <li key={name} class="set-tool">
                  <div class="set-tool-words">
                    <h3>{name}</h3>
                    <p class="muted">{description}</p>
                  </div>
                  <AccessLamp access={access} />
                  <ActionButton label={words.addTool} named={words.addOf(name)} onAct={() => onAdd(name)} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
