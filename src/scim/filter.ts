// Reads filters: one comparison with `eq`, which is what directories ask. RFC 7644 §3.4.2.2
import { parseJson } from '../json/json.ts';
import { ScimError } from './scim-error.ts';

export interface Condition {
  attribute: string;
  value: string | boolean;
}

export function readCondition(text: string): Condition {
  const [, attribute, value = ''] =
    /^\s*([A-Za-z$][\w$.:-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i.exec(text) ?? [];
  const read = parseJson(value.startsWith('"') ? value : value.toLowerCase());
  if (attribute === undefined || (typeof read !== 'string' && typeof read !== 'boolean'))
    throw new ScimError(400, 'Only filters of the form <attribute> eq "<value>" are known', 'invalidFilter');
  return { attribute, value: read };
}

/** Returns the filter by the name that the store knows. */
export function readFilter<T>(
  text: string | undefined,
  known: Readonly<Record<string, (value: string) => T>>,
): T | null {
  if (text === undefined || text.trim() === '') return null;
  const { attribute, value } = readCondition(text);
  const name = attribute.replace(/^urn:.*:/i, '').toLowerCase();
  const make = Object.entries(known).find(([key]) => key.toLowerCase() === name)?.[1];
  if (make === undefined || typeof value !== 'string')
    throw new ScimError(400, `Filters know ${Object.keys(known).join(', ')} only`, 'invalidFilter');
  return make(value);
}
