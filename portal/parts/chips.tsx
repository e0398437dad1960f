// Renders a row of choices, one of which is chosen. The row is one Tab stop; arrow keys move through it. On phones the
// row scrolls sideways.
import { useRef } from 'preact/hooks';
import { useScrollIntoView } from './scroll-into-view.ts';

interface Props {
  label: string;
  choices: readonly { value: string; label: string }[];
  chosen: string;
  onChoose: (value: string) => void;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

export function Chips({ label, choices, chosen, onChoose }: Props) {
  const row = useRef<HTMLDivElement>(null);
  useScrollIntoView(row, '[aria-pressed="true"]', chosen);

  const stop = choices.some(({ value }) => value === chosen) ? chosen : choices[0]?.value;

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const buttons = [...(row.current?.querySelectorAll('button') ?? [])];
    buttons[buttons.findIndex((button) => button === document.activeElement) + step]?.focus();
    event.preventDefault();
  }

  return (
    <div ref={row} class="chips" role="group" aria-label={label} onKeyDown={onKey}>
      {choices.map(({ value, label: word }) => (
        <button
          key={value}
          type="button"
          class="chip"
          tabIndex={value === stop ? 0 : -1}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {word}
        </button>
      ))}
    </div>
  );
}
