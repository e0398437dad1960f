// Writes Markdown piece by piece: breaks between blocks, and the markers of lists and quotes before each
// line.
export interface MarkdownWriter {
  /** Writes text, and collapses white space as HTML does. */
  text(text: string): void;
  /** Writes text unchanged, with its line breaks. */
  raw(text: string): void;
  /** Puts at least this many line breaks before the next text. */
  breakLine(count: 1 | 2): void;
  /** Opens a list item or a quote: its first line begins with `first`, the others with `rest`. */
  enter(first: string, rest: string): void;
  leave(): void;
  /** The text without white space at its ends. */
  toString(): string;
  /** The text with white space at its ends. */
  exact(): string;
}

// Deeper than anybody writes: lines that are nested deeper get no further prefix.
const MAX_DEPTH = 20;

export function createMarkdownWriter(): MarkdownWriter {
  const parts: string[] = [];
  const prefixes: string[] = [];
  let beyond = 0;
  let first: string | null = null;
  /** How many line breaks the written text ends with. */
  let breaks = 2;

  function write(text: string): void {
    if (text === '') return;
    // The marker takes the place of the other lines' white space.
    const own = first !== null && beyond === 0 ? -1 : undefined;
    if (breaks > 0) parts.push(prefixes.slice(0, own).join(''), first ?? '');
    first = null;
    parts.push(text);
    breaks = 0;
  }

  return {
    text(text) {
      const collapsed = text.replace(/\s+/g, ' ');
      write(breaks > 0 ? collapsed.trimStart() : collapsed);
    },
    raw(text) {
      for (const [index, line] of text.split('\n').entries()) {
        if (index > 0) {
          parts.push('\n');
          breaks = 1;
        }
        write(line);
      }
    },
    breakLine(count) {
      // The marker of an item and its text share one line.
      if (first !== null) return;
      if (breaks === 0) parts.push((parts.pop() ?? '').trimEnd());
      while (breaks < count) {
        parts.push('\n');
        breaks++;
      }
    },
    enter(sign, rest) {
      if (prefixes.length < MAX_DEPTH) prefixes.push(rest);
      else beyond++;
      first = sign;
    },
    leave() {
      if (beyond > 0) beyond--;
      else prefixes.pop();
      first = null;
    },
    toString: () => parts.join('').trim(),
    exact: () => parts.join(''),
  };
}
