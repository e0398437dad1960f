// Parses JSON that the gateway itself has stored.

/** Undefined when the text is not JSON. */
export function parseStoredJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
