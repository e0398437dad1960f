// Shortens the description of a tool to what a list of hits needs.

const MAX_LENGTH = 200;
const MIN_CUT = 120;

/** Returns the first sentence. A longer text is cut after a word. */
export function summaryOf(description: string): string {
  const [sentence = ''] = description.split(/(?<=[.!?])\s/, 1);
  if (sentence.length <= MAX_LENGTH) return sentence;
  const cut = sentence.slice(0, MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  const end = cut.lastIndexOf(' ');
  return `${end >= MIN_CUT ? cut.slice(0, end) : cut}…`;
}
