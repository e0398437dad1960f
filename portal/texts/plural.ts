// Counts things in words: "1 tool", "2 tools", "1,000 tools".
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`;
}

/** Says "12 tools", or "3 of 12 tools" when the list shows only some of them. */
export function ofAll(count: number, all: number, noun: string): string {
  return count === all ? plural(all, noun) : `${count.toLocaleString('en')} of ${plural(all, noun)}`;
}
