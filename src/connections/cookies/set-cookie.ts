// Parses one Set-Cookie line as browsers do. RFC 6265 §5.2
import { type Cookie, sameSiteOf } from '../model/cookies.ts';

/** The values of the line. An attribute that the line leaves out is null. */
export interface SetCookie extends Pick<Cookie, 'name' | 'value' | 'secure' | 'httpOnly' | 'sameSite'> {
  domain: string | null;
  path: string | null;
  expires: number | null;
}

const CONTROL = /[\0-\x1f\x7f]/;
const MAX_ATTRIBUTE_LENGTH = 1_024;
/** RFC 6265bis §5.5: no cookie lives longer than 400 days from now. */
const MAX_AGE_SECONDS = 400 * 86_400;

/** Null when the line is not a cookie. */
export function parseSetCookie(line: string, now: number): SetCookie | null {
  const [pair = '', ...rest] = decode(line).split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  if (name === '' || CONTROL.test(name + value)) return null;
  const attributes = new Map(rest.map(parseAttribute));
  const domain = attributes.get('domain') ?? '';
  const path = attributes.get('path') ?? '';
  return {
    name,
    value,
    domain: domain === '' ? null : domain,
    path: path.startsWith('/') ? path : null,
    expires: expiryOf(attributes, now),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    ...sameSiteOf(attributes.get('samesite')),
  };
}

// The last of several attributes with one name counts, even when it is empty. RFC 6265bis §5.6
function parseAttribute(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  const value = equals === -1 ? '' : text.slice(equals + 1).trim();
  return [name.trim().toLowerCase(), value.length > MAX_ATTRIBUTE_LENGTH || CONTROL.test(value) ? '' : value];
}

function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number | null {
  const age = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(age)) return now + Math.max(Math.min(Number(age), MAX_AGE_SECONDS), 0);
  return parseCookieDate(attributes.get('expires') ?? '');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/;
const DELIMITERS = /[\t -/;-@[-`{-~]+/;

/** Unix seconds, at least 0; null when the text is not a date. RFC 6265 §5.1.1 */
export function parseCookieDate(text: string): number | null {
  let time: RegExpExecArray | null = null;
  let [day, month, year] = [-1, -1, -1];
  // Each part of the date is the first token that fits, with this order of precedence.
  for (const token of text.split(DELIMITERS)) {
    const clock: RegExpExecArray | null = time === null ? TIME.exec(token) : null;
    const named = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
    if (clock !== null) time = clock;
    else if (day === -1 && /^\d{1,2}(?!\d)/.test(token)) day = Number.parseInt(token, 10);
    else if (month === -1 && named !== -1) month = named;
    else if (year === -1 && /^\d{2,4}(?!\d)/.test(token)) year = Number.parseInt(token, 10);
  }
  if (time === null || day === -1 || month === -1 || year === -1) return null;
  if (year < 70) year += 2000;
  else if (year < 100) year += 1900;
  const [hours = 0, minutes = 0, seconds = 0] = time.slice(1).map(Number);
  if (year < 1601 || hours > 23 || minutes > 59 || seconds > 59) return null;
  const date = new Date(Date.UTC(year, month, day, hours, minutes, seconds));
  // Date.UTC would turn the 30th of February into the 2nd of March.
  if (date.getUTCDate() !== day) return null;
  // Sites delete a cookie with any date in the past. One second before 1970 would be -1, which marks a session cookie.
  return Math.max(date.getTime() / 1000, 0);
}

/** Header values arrive with one character per byte, and browsers read cookies as UTF-8. */
function decode(line: string): string {
  if (!/[\x80-\xff]/.test(line) || /[^\0-\xff]/.test(line)) return line;
  const bytes = Uint8Array.from(line, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return line;
  }
}
