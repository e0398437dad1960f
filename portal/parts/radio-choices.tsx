// Renders a group of radio buttons, each with a name and an explanation.
import { useId } from 'preact/hooks';
import '../styles/keys.css';

interface Props<T extends string> {
  legend: string;
  /** Set where a heading says it already. */
  isLegendHidden?: boolean;
  choices: readonly { value: T; name: string; about: string }[];
  chosen: T;
  onChoose: (value: T) => void;
}

export function RadioChoices<T extends string>({
  legend,
  isLegendHidden = false,
  choices,
  chosen,
  onChoose,
}: Props<T>) {
  const group = useId();
  return (
    <fieldset class="limits-part">
      <legend class={isLegendHidden ? 'visually-hidden' : undefined}>{legend}</legend>
      <div class="choices limits-choices">
        {choices.map(({ value, name, about }) => (
          <label key={value} class="choice">
            <input type="radio" name={group} checked={value === chosen} onChange={() => onChoose(value)} />
            <span class="choice-name">{name}</span>
            <span class="choice-about">{about}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
