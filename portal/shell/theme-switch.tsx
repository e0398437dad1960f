// Offers the three themes as a row of radio buttons.
import { useEffect, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { chooseTheme, readTheme, THEMES, whenThemeChanges } from './theme.ts';

/** Two of these may be on a page, so each group of buttons has a name. */
export function ThemeSwitch({ name = 'theme' }: { name?: string }) {
  const [chosen, setChosen] = useState(readTheme);
  useEffect(() => whenThemeChanges(() => setChosen(readTheme())), []);

  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{texts.theme.label}</legend>
      {THEMES.map((theme) => (
        <label key={theme}>
          <input
            type="radio"
            name={name}
            value={theme}
            checked={theme === chosen}
            onChange={() => chooseTheme(theme)}
          />
          <span>{texts.theme[theme]}</span>
        </label>
      ))}
    </fieldset>
  );
}
