// A diff comes as plain text; no difference comes as nothing at all.
export function asDiff(payload: unknown): { diff: string } {
  return { diff: typeof payload === 'string' ? payload : '' };
}
