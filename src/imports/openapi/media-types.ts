// Compares media types.

/** The type without its parameters, in lower case. */
export const essenceOf = (type: string): string => type.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const isJsonType = (type: string): boolean => /^[^/]+\/(.+\+)?json$/.test(essenceOf(type));
