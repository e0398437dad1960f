// A bundle in use: what goes with a request, and what an answer changes. RFC 6265 §5.3, §5.4
import { isLoopbackHost } from '../../config/config.ts';
import { canonicalHost, domainMatches, isAddress, isOwn } from './cookie-domains.ts';
import {
  type Bundle,
  brokenPrefix,
  type Cookie,
  isLive,
  isSameCookie,
  isTooLong,
  MOST_COOKIES,
} from './cookies.ts';
import { parseSetCookie } from './set-cookie.ts';

/** The Cookie header for a request to this address; '' for none. */
export function cookieHeader(bundle: Bundle, url: URL, now: number): string {
  const host = canonicalHost(url.hostname);
  if (host === null) return '';
  const secure = isSecure(url);
  return asBytes(
    bundle.cookies
      .filter(
        (cookie) =>
          isLive(cookie, now) &&
          (secure || !cookie.secure) &&
          domainMatches(cookie.domain, host) &&
          pathMatches(cookie.path, url.pathname),
      )
      // The bundle's own order among equals: sorting is stable.
      .toSorted((one, other) => other.path.length - one.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; '),
  );
}

/**
 * The bundle after an answer from this address; null when nothing has changed. Only cookies of the given domains
 * are taken in, and what is malformed is ignored.
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

/** RFC 6265 §5.1.4: the folder of what was asked for, without its last slash. */
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
  // A `__Host-` cookie has to say its path. RFC 6265bis §5.7 step 21
  return brokenPrefix({ ...cookie, path: set.path ?? '' }) === null ? cookie : null;
}

/** Null where the host may not set a cookie for that domain: not its own, or a whole top level. */
function domainFor(asked: string | null, url: URL): string | null {
  const host = canonicalHost(url.hostname);
  if (host === null || asked === null) return host;
  const domain = canonicalHost(asked);
  // RFC 6265 §5.3 step 5: a host that is a public suffix, or an address, sets it for itself alone.
  if (domain === host && (isAddress(host) || !host.includes('.'))) return host;
  return domain !== null && domain.includes('.') && domainMatches(`.${domain}`, host) ? `.${domain}` : null;
}

/** The same array when the cookie changes nothing. */
function put(cookies: Cookie[], cookie: Cookie, secure: boolean, now: number): Cookie[] {
  const index = cookies.findIndex((other) => isSameCookie(other, cookie));
  const former = cookies[index];
  // RFC 6265bis §5.7 step 13: what came over TLS is not written over without it.
  if (former?.secure === true && !secure) return cookies;
  if (!isLive(cookie, now)) return former === undefined ? cookies : cookies.toSpliced(index, 1);
  if (former !== undefined) return isEqual(former, cookie) ? cookies : cookies.with(index, cookie);
  // Those that are there make the session: a site that never stops setting new ones does not push them out.
  const live = cookies.length < MOST_COOKIES ? cookies : cookies.filter((other) => isLive(other, now));
  return live.length < MOST_COOKIES ? [...live, cookie] : cookies;
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

/** A header holds bytes in the form of characters; browsers send text as UTF-8. */
function asBytes(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
}
