// Resolves and escapes JSON Pointers. RFC 6901
export function resolvePointer(root: unknown, pointer: string): { value: unknown } | null {
  const keys = keysOf(pointer);
  if (keys === null) return null;
  let value = root;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return null;
    const known = Array.isArray(value)
      ? /^(0|[1-9]\d*)$/.test(key) && Number(key) < value.length
      : Object.hasOwn(value, key);
    if (!known) return null;
    value = Reflect.get(value, key);
  }
  return { value };
}

/** Returns null for a text that is not a pointer. */
export function keysOf(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
