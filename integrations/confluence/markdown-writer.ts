// Markdown written piece by piece: breaks between blocks, and the signs of lists and quotes before each line.
export interface MarkdownWriter {
  /** Text of a line, with white space as HTML has it. */
  text(text: string): void;
  /** As it is, line breaks and all. */
  raw(text: string): void;
  /** At least so many line breaks before what follows. */
  breakLine(count: 1 | 2): void;
  /** What follows stands in a list item or a quote: its first line begins with `first`, the others with `rest`. */
  enter(first: string, rest: string): void;
  leave(): void;
  /** Without white space at its ends. */
  toString(): string;
  /** With it. */
  exact(): string;
}

// Deeper than anybody writes: beyond it lines begin where the others do.
const MAX_DEPTH = 20;

export function createMarkdownWriter(): MarkdownWriter {
  const parts: string[] = [];
  const prefixes: string[] = [];
  let beyond = 0;
  let first: string | null = null;
  /** Line breaks at the end of what is written. */
  let breaks = 2;

  function write(text: string): void {
    if (text === '') return;
    // The sign stands where the others have their white space.
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
      // The sign of an item and its text are one line.
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
