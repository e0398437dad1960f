// Edits pairs of a name and a value: the headers or the parameters that carry a credential.
import { useId } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { importsTexts } from '../../texts/imports.ts';
import type { Pair } from './way.ts';

const words = importsTexts.way;

interface Props {
  /** What a pair is called. */
  kind: string;
  add: string;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
}

export function PairRows({ kind, add, pairs, onChange }: Props) {
  const id = useId();
  const edit = (index: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...change } : pair)));

  return (
    <div class="pairs">
      {pairs.map(({ name, value }, index) => {
        const which = pairs.length === 1 ? '' : ` ${index + 1}`;
        return (
          // The place of a pair is its identity: its name changes while the person types.
          <div key={index} class="pair">
            <label class="field">
              {kind + which}
              <input
                type="text"
                class="mono"
                value={name}
                autoComplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => edit(index, { name: currentTarget.value })}
              />
            </label>
            <label class="field">
              {words.value + which}
              <input
                id={`${id}-${index}`}
                type="text"
                class="mono"
                value={value}
                autoComplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => edit(index, { value: currentTarget.value })}
              />
            </label>
            {pairs.length > 1 && (
              <button
                type="button"
                class="icon-button"
                aria-label={words.remove(name === '' ? kind + which : name)}
                onClick={() => {
                  onChange(pairs.filter((_, at) => at !== index));
                  document.getElementById(`${id}-${Math.max(index - 1, 0)}`)?.focus();
                }}
              >
                <Icon name="close" />
              </button>
            )}
          </div>
        );
      })}
      <p>
        <button
          type="button"
          class="link-button"
          onClick={() => onChange([...pairs, { name: '', value: '' }])}
        >
          {add}
        </button>
      </p>
    </div>
  );
}
