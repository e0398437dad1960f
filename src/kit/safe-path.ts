// Checks the path of a raw API call. A safe path stays below the base of its API, byte for byte. decision: 034

/** An upstream that decodes a path more often than this is not expected. */
const MAX_DECODINGS = 4;

/**
 * Decoded once, the path must have no `.` or `..` segment, no control character that could end a header, and no other
 * separator than the slash. `search` is the query with its question mark, or empty.
 */
export function isSafePath(path: string, search: string): boolean {
  if (
    path.startsWith('//') ||
    /%(?![0-9a-f]{2})/i.test(path + search) ||
    path.includes('#') ||
    search.includes('#')
  )
    return false;
  // Characters beyond ASCII must be percent-encoded.
  if (/[^\u0021-\u007e]/.test(path + search)) return false;
  return staysInPlace(decodeOnce(path));
}

/** Whether a safe path is also safe for an upstream that decodes it again, so that it stays below a prefix of the path. */
export function isSafeDecodedAgain(path: string): boolean {
  let decoded = decodeOnce(path);
  for (let decodings = 1; /%[0-9a-f]{2}/i.test(decoded); decodings++) {
    if (decodings === MAX_DECODINGS || /%2e/i.test(decoded)) return false;
    decoded = decodeOnce(decoded);
    if (!staysInPlace(decoded)) return false;
  }
  return true;
}

const decodeOnce = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function staysInPlace(decoded: string): boolean {
  if (/[\\\u0000-\u001f\u007f]/.test(decoded)) return false;
  return !decoded
    .split('/')
    .some((segment) => segment === '.' || segment === '..' || /^\.\.?;/.test(segment));
}
