// The rule for blob keys, which every driver shares.
const KEY = /^(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)*$/;

export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError(`[blobs] not a key: ${JSON.stringify(key)}`);
}

/** A prefix is '' or whole segments: `a/b` and `a/b/` both mean everything below `a/b`. */
export function toPrefix(prefix: string): string {
  if (prefix === '') return '';
  const path = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  assertKey(path);
  return `${path}/`;
}
