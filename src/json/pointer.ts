// Resolves and escapes JSON Pointers. RFC 6901
export function resolvePointer(root: unknown, pointer: string): { value: unknown } | null {
  if (pointer === '') return { value: root };
  if (!pointer.startsWith('/')) return null;
  let value = root;
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return null;
    const known = Array.isArray(value)
      ? /^(0|[1-9]\d*)$/.test(key) && Number(key) < value.length
      : Object.hasOwn(value, key);
    if (!known) return null;
    value = Reflect.get(value, key);
  }
  return { value };
}

export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
