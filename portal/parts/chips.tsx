// A row of choices of which one holds. On phones it scrolls sideways.
import { useRef } from 'preact/hooks';
import { useInSight } from './in-sight.ts';

interface Props {
  label: string;
  choices: readonly { value: string; label: string }[];
  chosen: string;
  onChoose: (value: string) => void;
}

export function Chips({ label, choices, chosen, onChoose }: Props) {
  const row = useRef<HTMLDivElement>(null);
  useInSight(row, '[aria-pressed="true"]', chosen);

  return (
    <div ref={row} class="chips" role="group" aria-label={label}>
      {choices.map(({ value, label: word }) => (
        <button
          key={value}
          type="button"
          class="chip"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {word}
        </button>
      ))}
    </div>
  );
}
