// Reads, stores and applies the theme. The choice belongs to this browser.
const KEY = 'svc_theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

const changed = new EventTarget();

/** Keeps the choice, applies it, and tells who shows it. */
export function chooseTheme(theme: Theme): void {
  keepTheme(theme);
  applyTheme(theme);
  changed.dispatchEvent(new Event('change'));
}

/** Calls back after each choice. Returns a function that stops listening. */
export function whenThemeChanges(callback: () => void): () => void {
  changed.addEventListener('change', callback);
  return () => changed.removeEventListener('change', callback);
}

function keepTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  // The browser's bars follow the page's theme.
  for (const bars of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { of = '' } = bars.dataset;
    bars.media = theme === 'system' ? `(prefers-color-scheme: ${of})` : theme === of ? 'all' : 'not all';
  }
}
