// JSON of others, which may be none, or nested for harm: slow to parse, and an overflow where it is written again.

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined when it is none, or too deep. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Deeper than any caller or API goes.
const MAX_DEPTH = 500;

/** One look at the text tells. */
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

/** Whether JSON may hold more members and items than that: each begins behind a comma or a bracket. */
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
