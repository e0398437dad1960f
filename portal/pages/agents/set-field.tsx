// Renders the choice of a set that binds a key or an application: it may then call the tools of this set, and nothing else.
import { useId } from 'preact/hooks';
import { fetchSets } from '../../api/sets.ts';
import { useResource } from '../../state/use-resource.ts';
import { keysTexts } from '../../texts/keys.ts';

const words = keysTexts.form;

interface Props {
  /** Empty for no set. */
  chosen: string;
  onChoose: (set: string) => void;
}

export function SetField({ chosen, onChoose }: Props) {
  const id = useId();
  const { data = [] } = useResource('sets', fetchSets);
  const known = new Map(data.map(({ name, title }) => [name, title]));
  // A set that is gone still binds what is bound to it.
  if (chosen !== '' && !known.has(chosen)) known.set(chosen, chosen);
  if (known.size === 0) return null;
  return (
    <div class="connect-field">
      <label for={id}>{words.set}</label>
      <select
        id={id}
        name="set"
        value={chosen}
        aria-describedby={`${id} help`}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        <option value="">{words.noSet}</option>
        {[...known].map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <p id={`${id} help`} class="connect-help">
        {words.setHelp}
      </p>
    </div>
  );
}
