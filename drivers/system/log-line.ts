// Writes an event as JSON, whatever its fields hold. Errors include their causes, and nothing makes it throw.
export function toJsonLine(head: Record<string, unknown>, fields: Record<string, unknown> = {}): string {
  const entry = { ...head, ...fields };
  try {
    return holdsError(fields) ? tolerant(entry) : JSON.stringify(entry);
  } catch {
    return stubborn(head, entry);
  }
}

function holdsError(fields: Record<string, unknown>): boolean {
  for (const name in fields) if (fields[name] instanceof Error) return true;
  return false;
}

function stubborn(head: Record<string, unknown>, entry: Record<string, unknown>): string {
  try {
    return tolerant(entry);
  } catch (error) {
    return JSON.stringify({ ...head, unwritable: String(error) });
  }
}

function tolerant(entry: Record<string, unknown>): string {
  const above: unknown[] = [];
  return JSON.stringify(entry, function (this: unknown, _name, value: unknown) {
    if (typeof value === 'bigint') return value.toString();
    if (value instanceof Error) return story(value);
    if (typeof value !== 'object' || value === null) return value;
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(value)) return '[Circular]';
    above.push(value);
    return value;
  });
}

function story(error: Error): string {
  const told: string[] = [];
  // A chain of causes may be circular, so its length is bounded.
  for (let at: unknown = error; at instanceof Error && told.length < 8; at = at.cause) {
    told.push(at.stack ?? String(at));
  }
  return told.join('\ncaused by ');
}
