// One Set-Cookie line as browsers read it. RFC 6265 §5.2
import { type Cookie, sameSiteOf } from './cookies.ts';

/** As the line has them; null where it is silent. */
export interface SetCookie extends Pick<Cookie, 'name' | 'value' | 'secure' | 'httpOnly' | 'sameSite'> {
  domain: string | null;
  path: string | null;
  expires: number | null;
}

const CONTROL = /[\0-\x1f\x7f]/;
const LONGEST_ATTRIBUTE = 1_024;
/** RFC 6265bis §5.5: nothing lives longer than 400 days from now. */
const LONGEST_AGE = 400 * 86_400;

/** Null for what is no cookie. */
export function parseSetCookie(line: string, now: number): SetCookie | null {
  const [pair = '', ...rest] = decode(line).split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  if (name === '' || CONTROL.test(name + value)) return null;
  const attributes = new Map(rest.map(attribute));
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

// The last of several with one name counts, also when it says nothing. RFC 6265bis §5.6
function attribute(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  const value = equals === -1 ? '' : text.slice(equals + 1).trim();
  return [name.trim().toLowerCase(), value.length > LONGEST_ATTRIBUTE || CONTROL.test(value) ? '' : value];
}

function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number | null {
  const age = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(age)) return now + Math.max(Math.min(Number(age), LONGEST_AGE), 0);
  return parseCookieDate(attributes.get('expires') ?? '');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/;
const DELIMITERS = /[\t -/;-@[-`{-~]+/;

/** Unix seconds, however the date is written, none below 0; null when it is no date. RFC 6265 §5.1.1 */
export function parseCookieDate(text: string): number | null {
  let time: RegExpExecArray | null = null;
  let [day, month, year] = [-1, -1, -1];
  // Each part is the first token that looks like it, in this order of precedence.
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
  // The 30th of February would be the 2nd of March.
  if (date.getUTCDate() !== day) return null;
  // Sites delete with any date of the past; the second before 1970 would be -1, which says something else.
  return Math.max(date.getTime() / 1000, 0);
}

/** Header values come as bytes in the form of characters; cookies that browsers show as text are UTF-8. */
function decode(line: string): string {
  if (!/[\x80-\xff]/.test(line) || /[^\0-\xff]/.test(line)) return line;
  const bytes = Uint8Array.from(line, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return line;
  }
}
