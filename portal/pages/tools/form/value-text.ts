// A value of a schema as a person reads it.
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
