// Parses JSON from callers and upstreams, and refuses JSON nested so deeply that it is slow or overflows the stack.

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns undefined when the text is not JSON, or is nested too deeply. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// No real caller or API nests deeper.
const MAX_DEPTH = 500;

/** Counts brackets outside of strings, without parsing. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (quoted) {
      if (unit === 0x5c) index++;
      else if (unit === 0x22) quoted = false;
    } else if (unit === 0x22) quoted = true;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}

/** Tells whether JSON may hold more than `most` values. Each value follows a comma or an opening bracket. */
export function hasMoreValues(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let values = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) quoted = !quoted;
    else if (quoted) index += unit === 0x5c ? 1 : 0;
    else if ((unit === 0x2c || unit === 0x5b || unit === 0x7b) && ++values > most) return true;
  }
  return false;
}
