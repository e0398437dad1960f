// Finds the argument that tells a person which thing a call was about, such as the title of an issue or the id of an order.
import { shownText } from './shown-text.ts';

const MAX_VALUE_CHARACTERS = 200;
const MAX_SHOWN_CHARACTERS = 80;

/** The first kind that an argument has a name of decides. Of several ids the last names the thing, the others its place. */
const KINDS = [
  /^(title|name|subject|summary)$/i,
  /(^|_)(id|iid|key|number|slug|ref|sha|branch|tag)$|[a-z](Id|Key|Number)$/,
  /^(q|query|search|jql|path|file|file_?name|url|email|to|channel|from|timezone)$/i,
  /^(text|message|content|body|description)$/i,
];
const SECRET = /token|secret|password|(api|access|private)_?key/i;

/** Returns null where no argument tells it. */
export function mainArgument(args: unknown): string | null {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return null;
  const plain = Object.entries(args).flatMap(([name, value]) => {
    const text = SECRET.test(name) ? null : textOf(value);
    return text === null ? [] : [{ name, text }];
  });
  for (const kind of KINDS) {
    const found = plain.findLast(({ name }) => kind.test(name));
    if (found !== undefined) return found.text;
  }
  return plain.length === 1 ? (plain[0]?.text ?? null) : null;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const shown = shownText(value.slice(0, MAX_VALUE_CHARACTERS));
  if (shown === null || shown.length <= MAX_SHOWN_CHARACTERS) return shown;
  return `${shown.slice(0, MAX_SHOWN_CHARACTERS - 1).trimEnd()}…`.toWellFormed();
}
