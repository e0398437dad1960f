// Renders a few choices as a row of radio buttons that looks like one control.
import { useId } from 'preact/hooks';

interface Props<T extends string> {
  label: string;
  class?: string;
  choices: readonly { value: T; label: string }[];
  chosen: T;
  onChoose: (choice: T) => void;
}

export function Segments<T extends string>({ label, class: more = '', choices, chosen, onChoose }: Props<T>) {
  const group = useId();
  return (
    <fieldset class={`segments ${more}`.trim()}>
      <legend class="visually-hidden">{label}</legend>
      {choices.map(({ value, label: name }) => (
        <label key={value}>
          <input
            type="radio"
            name={group}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
