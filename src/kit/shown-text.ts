// Makes a text of others safe to show: nothing in it hides or reverses what stands around it.

/** Replaces control and format characters with spaces. Returns null when nothing is left. */
export function shownText(text: string | null | undefined): string | null {
  const shown = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  return shown === '' ? null : shown;
}
