// Splits and checks the paths behind /c/<integration>. A safe path stays below the base, byte for byte. decision: 055
export interface ProxyPath {
  integration: string;
  /** The path behind the base as the caller sent it: empty, or starting with a slash. */
  tail: string;
  /** The query with its question mark, or empty. */
  search: string;
}

const PREFIX = '/c/';

/** Null when the raw target is not a proxy path. */
export function splitProxyPath(target: string): ProxyPath | null {
  if (!target.startsWith(PREFIX)) return null;
  const question = target.indexOf('?');
  const path = question === -1 ? target : target.slice(0, question);
  const slash = path.indexOf('/', PREFIX.length);
  return {
    integration: path.slice(PREFIX.length, slash === -1 ? path.length : slash),
    tail: slash === -1 ? '' : path.slice(slash),
    search: question === -1 ? '' : target.slice(question),
  };
}

export function isAbsoluteProxyPath(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/c\//i.test(target);
}

/**
 * Decoded once, the path must have no `.` or `..` segment, no control character that could end a header, and no other
 * separator than the slash.
 */
export function isSafeTail(tail: string, search: string): boolean {
  if (
    tail.startsWith('//') ||
    /%(?![0-9a-f]{2})/i.test(tail + search) ||
    tail.includes('#') ||
    search.includes('#')
  )
    return false;
  // Characters beyond ASCII must be percent-encoded.
  if (/[^\u0021-\u007e]/.test(tail + search)) return false;
  const decoded = tail.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (/[\\\u0000-\u001f\u007f]/.test(decoded)) return false;
  return !decoded
    .split('/')
    .some((segment) => segment === '.' || segment === '..' || /^\.\.?;/.test(segment));
}

/** The path for audit rows. Identifiers become `:id`, so that rows of one kind look alike. */
export function pathPattern(tail: string): string {
  const segments = tail.split('/').slice(0, 9);
  return (
    segments.map((segment) => (/[\d%]/.test(segment) || segment.length > 32 ? ':id' : segment)).join('/') ||
    '/'
  );
}
