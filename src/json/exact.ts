// Parses JSON without changing large integers.

// A JavaScript number holds every integer of up to 15 digits. Only a text that matches can contain a longer integer.
const MAY_HOLD_LARGE_INTEGER = /(?:^|[[:,\s])-?\d{16}/;
const INTEGER = /^-?\d+$/;

/** Keeps an integer that does not fit into a number as a string of its digits: rounding an id would name another thing. */
export function parseExactJson(text: string): unknown {
  return MAY_HOLD_LARGE_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const { source = '' } = context ?? {};
  return INTEGER.test(source) ? source : value;
}
