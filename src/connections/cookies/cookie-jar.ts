// Uses a bundle like a browser: chooses the cookies of a request, and merges those that an answer sets. RFC 6265 §5.3, §5.4
import { isLoopbackHost } from '../../config/config.ts';
import { canonicalHost, domainMatches, isAddress, isOwn } from './cookie-domains.ts';
import {
  type Bundle,
  brokenPrefix,
  type Cookie,
  isLive,
  isSameCookie,
  isTooLong,
  MAX_COOKIES,
} from '../model/cookies.ts';
import { parseSetCookie } from './set-cookie.ts';

/** The Cookie header for a request to this address, or '' when no cookie is sent. */
export function cookieHeader(bundle: Bundle, url: URL, now: number): string {
  const host = canonicalHost(url.hostname);
  if (host === null) return '';
  const secure = isSecure(url);
  return encodeUtf8(
    bundle.cookies
      .filter(
        (cookie) =>
          isLive(cookie, now) &&
          (secure || !cookie.secure) &&
          domainMatches(cookie.domain, host) &&
          pathMatches(cookie.path, url.pathname),
      )
      // Sorting is stable, so cookies with paths of the same length keep the bundle's order.
      .toSorted((one, other) => other.path.length - one.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; '),
  );
}

/**
 * The bundle after an answer from this address, or null when nothing has changed. Cookies of other domains and malformed
 * ones are ignored.
 */
export function mergeSetCookie(
  bundle: Bundle,
  url: URL,
  lines: readonly string[],
  now: number,
  domains: readonly string[],
): Bundle | null {
  let cookies = bundle.cookies;
  for (const line of lines) {
    const cookie = receive(line, url, now, domains);
    if (cookie !== null) cookies = put(cookies, cookie, isSecure(url), now);
  }
  return cookies === bundle.cookies ? null : { ...bundle, cookies };
}

/** Browsers send secure cookies to a person's own machine without TLS. RFC 6265bis §5.8.3 */
const isSecure = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));

/** RFC 6265 §5.1.4 */
function pathMatches(path: string, requested: string): boolean {
  return (
    requested.startsWith(path) &&
    (requested.length === path.length || path.endsWith('/') || requested[path.length] === '/')
  );
}

/** RFC 6265 §5.1.4: the requested path up to its last slash. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/';
}

function receive(line: string, url: URL, now: number, domains: readonly string[]): Cookie | null {
  const set = parseSetCookie(line, now);
  if (set === null || isTooLong(set.name) || isTooLong(set.value)) return null;
  const domain = domainFor(set.domain, url);
  if (domain === null || !isOwn({ domain }, domains)) return null;
  if (set.secure && !isSecure(url)) return null;
  const cookie = { ...set, domain, path: set.path ?? defaultPath(url), expires: set.expires ?? -1 };
  // A `__Host-` cookie must name its path. RFC 6265bis §5.7 step 21
  return brokenPrefix({ ...cookie, path: set.path ?? '' }) === null ? cookie : null;
}

/** Null where the host may not set a cookie for that domain, such as another site or a top-level domain. */
function domainFor(asked: string | null, url: URL): string | null {
  const host = canonicalHost(url.hostname);
  if (host === null || asked === null) return host;
  const domain = canonicalHost(asked);
  // RFC 6265 §5.3 step 5: a public suffix or an IP address sets a cookie for itself only.
  if (domain === host && (isAddress(host) || !host.includes('.'))) return host;
  return domain !== null && domain.includes('.') && domainMatches(`.${domain}`, host) ? `.${domain}` : null;
}

/** Returns the same array when the cookie changes nothing. */
function put(cookies: Cookie[], cookie: Cookie, secure: boolean, now: number): Cookie[] {
  const index = cookies.findIndex((other) => isSameCookie(other, cookie));
  const former = cookies[index];
  // RFC 6265bis §5.7 step 13: an answer without TLS must not overwrite a secure cookie.
  if (former?.secure === true && !secure) return cookies;
  if (!isLive(cookie, now)) return former === undefined ? cookies : cookies.toSpliced(index, 1);
  if (former !== undefined) return isEqual(former, cookie) ? cookies : cookies.with(index, cookie);
  // The first cookies make the session, so a site that keeps setting new ones does not push them out.
  const live = cookies.length < MAX_COOKIES ? cookies : cookies.filter((other) => isLive(other, now));
  return live.length < MAX_COOKIES ? [...live, cookie] : cookies;
}

function isEqual(one: Cookie, other: Cookie): boolean {
  return (
    one.value === other.value &&
    one.expires === other.expires &&
    one.secure === other.secure &&
    one.httpOnly === other.httpOnly &&
    one.sameSite === other.sameSite
  );
}

const encoder = new TextEncoder();

/** A header takes one character per byte, and browsers send text as UTF-8. */
function encodeUtf8(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
}
