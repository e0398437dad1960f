// Renders a row of choices, one of which is chosen. On phones the row scrolls sideways.
import { useRef } from 'preact/hooks';
import { useScrollIntoView } from './scroll-into-view.ts';

interface Props {
  label: string;
  choices: readonly { value: string; label: string }[];
  chosen: string;
  onChoose: (value: string) => void;
}

export function Chips({ label, choices, chosen, onChoose }: Props) {
  const row = useRef<HTMLDivElement>(null);
  useScrollIntoView(row, '[aria-pressed="true"]', chosen);

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
