// Writes JSON in ASCII, for headers and for parts of a body whose readers would need a charset otherwise.
import { writeJson } from '../json/exact-integers.ts';

export function asciiJson(value: unknown): string {
  return writeJson(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
