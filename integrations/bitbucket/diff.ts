// Reads a diff, which arrives as plain text; an empty diff arrives as an empty body.
export function asDiff(payload: unknown): { diff: string } {
  return { diff: typeof payload === 'string' ? payload : '' };
}
