// Renders the choice of the named key that a machine acts with.
import { useId } from 'preact/hooks';
import type { NamedKey } from '../../api/agent-keys.ts';
import type { BoundKey } from '../../api/machines.ts';
import { machinesTexts } from '../../texts/machines.ts';

const words = machinesTexts.key;

interface Props {
  /** The person’s own. */
  keys: readonly NamedKey[];
  /** A key that is chosen already, and may be somebody else's. */
  kept?: BoundKey | undefined;
  name: string;
  chosen: string;
  problem: string;
  onChoose: (id: string) => void;
}

export function KeySelect({ keys, kept, name, chosen, problem, onChoose }: Props) {
  const id = useId();
  const isOther = kept !== undefined && !keys.some((key) => key.id === kept.id);
  return (
    <div class="connect-field">
      <label for={id}>{words.label}</label>
      <select
        id={id}
        name={name}
        value={chosen}
        aria-required
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-help ${id}-problem`}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        <option value="">{words.choose}</option>
        {isOther && <option value={kept.id}>{words.kept(kept.name ?? kept.id)}</option>}
        {keys.map((key) => (
          <option key={key.id} value={key.id}>
            {key.name}
          </option>
        ))}
      </select>
      <p id={`${id}-help`} class="connect-help">
        {words.help}
      </p>
      <p id={`${id}-problem`} class="connect-problem">
        {problem}
      </p>
    </div>
  );
}
