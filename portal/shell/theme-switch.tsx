// Offers the three themes as a row of radio buttons.
import { useEffect, useState } from 'preact/hooks';
import { Segments } from '../parts/segments.tsx';
import { texts } from '../texts/texts.ts';
import { chooseTheme, readTheme, THEMES, whenThemeChanges } from './theme.ts';

export function ThemeSwitch() {
  const [chosen, setChosen] = useState(readTheme);
  useEffect(() => whenThemeChanges(() => setChosen(readTheme())), []);

  return (
    <Segments
      label={texts.theme.label}
      choices={THEMES.map((value) => ({ value, label: texts.theme[value] }))}
      chosen={chosen}
      onChoose={chooseTheme}
    />
  );
}
