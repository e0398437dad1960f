// Offers the three themes as a row of radio buttons.
import { useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { applyTheme, keepTheme, readTheme, type Theme, THEMES } from './theme.ts';

export function ThemeSwitch() {
  const [chosen, setChosen] = useState(readTheme);

  function choose(theme: Theme): void {
    keepTheme(theme);
    applyTheme(theme);
    setChosen(theme);
  }

  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{texts.theme.label}</legend>
      {THEMES.map((theme) => (
        <label key={theme}>
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={theme === chosen}
            onChange={() => choose(theme)}
          />
          <span>{texts.theme[theme]}</span>
        </label>
      ))}
    </fieldset>
  );
}
