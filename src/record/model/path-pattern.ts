// Writes the path of a raw request for audit rows, which keep no identifiers. reference: Audit

const MAX_SEGMENTS = 8;

/** Identifiers become `:id`, so that rows of one kind look alike. */
export function pathPattern(tail: string): string {
  const segments = tail.split('/').slice(0, MAX_SEGMENTS + 1);
  return (
    segments.map((segment) => (/[\d%]/.test(segment) || segment.length > 32 ? ':id' : segment)).join('/') ||
    '/'
  );
}
