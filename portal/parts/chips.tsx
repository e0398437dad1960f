// A row of choices of which one holds. On phones it scrolls sideways.
interface Props {
  label: string;
  choices: readonly { value: string; label: string }[];
  chosen: string;
  onChoose: (value: string) => void;
}

export function Chips({ label, choices, chosen, onChoose }: Props) {
  return (
    <div class="chips" role="group" aria-label={label}>
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
