// Lets the person choose integrations from a list with a search. The connected ones come first.
import { useId } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { connectedNames, useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { keysTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import { CheckList } from './check-list.tsx';

const words = keysTexts.form;

interface Props {
  chosen: readonly string[];
  problem: string;
  onChange: (chosen: string[]) => void;
}

export function IntegrationPicker({ chosen, problem, onChange }: Props) {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const id = useId();
  const connected = connectedNames(connections.data);
  const all = integrations.data?.toSorted(
    (one, other) =>
      Number(connected.has(other.name)) - Number(connected.has(one.name)) ||
      one.displayName.localeCompare(other.displayName),
  );
  const isLoaded = all !== undefined && connections.data !== undefined;

  return (
    <div class="check-list-field">
      <NotLoaded of={[integrations, connections]} />
      {!isLoaded && integrations.error === undefined && <Skeleton rows={2} />}
      {isLoaded && (
        <CheckList
          field="integrations"
          words={words.integrationList}
          rows={all.map(({ name, displayName }) => ({
            name,
            label: displayName,
            about: connected.has(name) ? texts.states.ok : '',
            keywords: name,
          }))}
          chosen={chosen}
          describedBy={`${id} problem`}
          onChange={onChange}
        />
      )}
      <p id={`${id} problem`} class="connect-problem">
        {problem}
      </p>
    </div>
  );
}
