// Writes null for what is nested too deeply in a JSON text, without parsing it.

/** The parser takes 500 levels, and a value that is cut here may lie within others. */
const MAX_DEPTH = 400;

/** For a list whose other entries must not be lost with one. A text that is not JSON stays one that is not. */
export function pruneDeep(text: string): string {
  const parts: string[] = [];
  let written = 0;
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) quoted = !quoted;
    else if (quoted) index += unit === 0x5c ? 1 : 0;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth === MAX_DEPTH + 1) parts.push(text.slice(written, index), 'null');
    } else if ((unit === 0x5d || unit === 0x7d) && depth-- === MAX_DEPTH + 1) written = index + 1;
  }
  return parts.length === 0 || depth > MAX_DEPTH ? text : parts.join('') + text.slice(written);
}
