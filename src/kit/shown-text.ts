// Makes a text of others safe to show: nothing in it hides or reverses what stands around it.

/**
 * For what a caller writes into a search or a name: PostgreSQL accepts no NUL in a text. The description of the API shows
 * the expression, so it is written as every language reads it, without the names of Unicode.
 */
export const HAS_NO_CONTROL = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** Replaces control and format characters with spaces. Returns null when nothing is left. */
export function shownText(text: string | null | undefined): string | null {
  const shown = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  return shown === '' ? null : shown;
}
