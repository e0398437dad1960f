// Lets the person choose integrations from a list with a search. The connected ones come first.
import { useId, useState } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { hasWords } from '../../state/use-search.ts';
import { keysTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';

const words = keysTexts.form;

interface Props {
  chosen: readonly string[];
  problem: string;
  onChange: (chosen: string[]) => void;
}

export function IntegrationPicker({ chosen, problem, onChange }: Props) {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const [query, setQuery] = useState('');
  const id = useId();
  const connected = new Set(connections.data?.filter((each) => each.connected).map(({ name }) => name));
  const all = integrations.data?.toSorted(
    (one, other) =>
      Number(connected.has(other.name)) - Number(connected.has(one.name)) ||
      one.displayName.localeCompare(other.displayName),
  );
  const found = all?.filter(({ name, displayName }) => hasWords(`${displayName} ${name}`, query)) ?? [];

  return (
    <div class="integration-picker">
      <NotLoaded of={[integrations, connections]} />
      {(all === undefined || connections.data === undefined) && integrations.error === undefined && (
        <Skeleton rows={2} />
      )}
      {all !== undefined && connections.data !== undefined && (
        <>
          <div class="integration-picker-head">
            <input
              type="search"
              name="integrations"
              aria-label={words.find}
              aria-describedby={`${id} problem`}
              placeholder={words.find}
              value={query}
              autoComplete="off"
              onInput={({ currentTarget }) => setQuery(currentTarget.value)}
              // Enter would send the form.
              onKeyDown={(event) => {
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
            <p class="muted" role="status">
              {words.chosen(chosen.length)}
            </p>
          </div>
          <ul class="integration-picker-list">
            {found.map(({ name, displayName }) => (
              <li key={name}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(name)}
                    onChange={({ currentTarget }) =>
                      onChange(
                        currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name),
                      )
                    }
                  />
                  <span>{displayName}</span>
                  {connected.has(name) && <span class="muted">{texts.states.ok}</span>}
                </label>
              </li>
            ))}
            {found.length === 0 && <li class="muted">{words.noMatch(query)}</li>}
          </ul>
        </>
      )}
      <p id={`${id} problem`} class="connect-problem">
        {problem}
      </p>
    </div>
  );
}
