// Formats a schema's value for people.
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
