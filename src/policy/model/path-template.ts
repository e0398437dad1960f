// Tells whether the path of a raw request is that of an operation, however a server may read it. reference: Rules

/** A server that decodes a path more often than this is not expected. */
const MAX_DECODINGS = 4;
const PARAMETER = /\{[^{}]*\}/g;
/** Stands for a parameter. No decoded path has it: control characters are refused. */
const ANY = '\0';

/**
 * Reads a path once for many templates: `/items/1/delete` fits `/items/{id}/delete`. Servers also ignore capitals, slashes at
 * the end, the ending of a format and what follows a semicolon, and some decode a path before they divide it.
 */
export function readRawPath(path: string): (template: string) => boolean {
  const read = readings(path);
  return function fits(template) {
    const [start = ''] = template.split('?');
    const wanted = segmentsOf(start.replaceAll(PARAMETER, ANY)).map((segment) => decode(segment).split(ANY));
    return read.some(
      (segments) =>
        segments.length === wanted.length &&
        wanted.every((parts, index) =>
          fitsSegment(parts, segments[index] ?? '', index === wanted.length - 1),
        ),
    );
  };
}

/** The segments of the path after each number of decodings, divided before and after them. */
function readings(path: string): string[][] {
  const found = [segmentsOf(path)];
  let whole = path;
  let divided = segmentsOf(path);
  for (let decodings = 0; decodings < MAX_DECODINGS && whole.includes('%'); decodings++) {
    whole = decode(whole);
    divided = divided.map(decode);
    found.push(segmentsOf(whole), divided.map(withoutParameters));
  }
  return found;
}

const segmentsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .split('/')
    .map(withoutParameters)
    .filter((segment) => segment !== '');

/** `delete;jsessionid=1` is `delete`. */
const withoutParameters = (segment: string): string => segment.replace(/;.*$/s, '');

function decode(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text;
  }
}

/** `parts` are the texts around the parameters of a segment. */
function fitsSegment(parts: readonly string[], text: string, isLast: boolean): boolean {
  if (fitsParts(parts, text)) return true;
  const dot = text.lastIndexOf('.');
  return isLast && dot > 0 && fitsParts(parts, text.slice(0, dot));
}

/** Looks for each text from where the one before it ends, so that a long path costs no more than its length. */
function fitsParts([first = '', ...rest]: readonly string[], text: string): boolean {
  const last = rest.at(-1);
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= text.length;
}
