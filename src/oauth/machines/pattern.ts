// Compares a subject or a claim with a pattern. reference: Trusted issuers; decision: 054

/** Parts of a subject stand between these: `repo:acme/web:ref:refs/heads/main`. */
const SEPARATOR = /([:/])/;

/**
 * The whole text has to fit. A `*` at the end stands for the rest, at least one character. A `*` elsewhere stands for any
 * characters of its part, so it never passes a `:` or a `/`. Each character of the text is read a few times at most.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const isOpen = pattern.endsWith('*');
  const wanted = (isOpen ? pattern.slice(0, -1) : pattern).split(SEPARATOR);
  const found = text.split(SEPARATOR);
  const last = wanted.length - 1;
  if (isOpen ? found.length < wanted.length : found.length !== wanted.length) return false;
  return wanted.every((part, at) => {
    const given = found[at] ?? '';
    if (at < last || !isOpen) return endOfMatch(part, given, true) !== null;
    const end = endOfMatch(part, given, false);
    return end !== null && (end < given.length || found.length > wanted.length);
  });
}

/** Returns where the earliest match of a part ends, or null without one. `isWhole`: nothing may follow. */
function endOfMatch(part: string, text: string, isWhole: boolean): number | null {
  const [first = '', ...rest] = part.split('*');
  const last = rest.at(-1);
  if (last === undefined) return (isWhole ? text === first : text.startsWith(first)) ? first.length : null;
  if (!text.startsWith(first)) return null;
  let at = first.length;
  for (const piece of isWhole ? rest.slice(0, -1) : rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return null;
    at = found + piece.length;
  }
  if (!isWhole) return at;
  return at + last.length <= text.length && text.endsWith(last) ? text.length : null;
}
