// Defines and parses the stored form of a cookie session. reference: Connections; decision: 027
import * as z from 'zod';
import { parseStoredJson } from './stored-json.ts';

// RFC 6265 §6.1 asks browsers for at least this size. No site needs that many cookies.
export const MAX_COOKIE_BYTES = 4_096;
export const MAX_COOKIES = 300;
const encoder = new TextEncoder();

const SameSite = z.enum(['Strict', 'Lax', 'None']);
type SameSite = z.infer<typeof SameSite>;

const Cookie = z.object({
  name: z.string(),
  value: z.string(),
  /**
   * In the form of the browsers' debugging protocol: `.example.com` is for that host and all its subdomains,
   * `example.com` for that host alone. Lower case, punycode, no port.
   */
  domain: z.string(),
  path: z.string(),
  /** Unix seconds, possibly with a fraction. -1 marks a session cookie. */
  expires: z.number(),
  secure: z.boolean(),
  httpOnly: z.boolean(),
  sameSite: SameSite.exactOptional(),
});

export const Bundle = z.object({
  v: z.literal(1),
  cookies: z.array(Cookie),
  /** The browser that the cookies come from. Some sites end a session whose user agent changes. */
  userAgent: z.string().exactOptional(),
  capturedAt: z.number(),
});

export type Cookie = z.infer<typeof Cookie>;
export type Bundle = z.infer<typeof Bundle>;

// The times alone decide whether a session is connected, even when its other fields cannot be read.
const Expiries = z.object({ cookies: z.array(z.object({ expires: z.number().default(-1) })) });

export interface StoredSession {
  /** Null when the stored text is not a bundle. Calls then go out without cookies. */
  bundle: Bundle | null;
  /** Unix seconds when the last cookie expires: Infinity with a session cookie, -Infinity without cookies. */
  liveUntil: number;
}

export function parseSession(text: string): StoredSession {
  const value = parseStoredJson(text);
  const bundle = Bundle.safeParse(value).data ?? null;
  const cookies = bundle?.cookies ?? Expiries.safeParse(value).data?.cookies ?? [];
  const liveUntil = cookies.reduce(
    (last, { expires }) => Math.max(last, expires === -1 ? Infinity : expires),
    -Infinity,
  );
  return { bundle, liveUntil };
}

/** A session is connected while at least one cookie has not expired. */
export function hasLiveCookie({ liveUntil }: Pick<StoredSession, 'liveUntil'>, now: number): boolean {
  return liveUntil > now;
}

export function isLive({ expires }: Pick<Cookie, 'expires'>, now: number): boolean {
  return expires === -1 || expires > now;
}

export function isTooLong(text: string): boolean {
  return text.length > MAX_COOKIE_BYTES || encoder.encode(text).length > MAX_COOKIE_BYTES;
}

/** Accepts any case. Absent when the text is none of the three values. */
export function sameSiteOf(text: string | null | undefined): { sameSite?: SameSite } {
  const sameSite = SameSite.options.find((option) => option.toLowerCase() === text?.toLowerCase());
  return sameSite === undefined ? {} : { sameSite };
}

/** A cookie replaces another one with the same name, domain and path. RFC 6265bis §5.7 */
export function isSameCookie(one: Cookie, other: Cookie): boolean {
  return one.name === other.name && one.domain === other.domain && one.path === other.path;
}

/** The rule of its name prefix that a cookie breaks; null when it breaks none. RFC 6265bis §4.1.3 */
export function brokenPrefix({ name, domain, path, secure }: Cookie): string | null {
  const [prefix] = /^__(secure|host)-/.exec(name.toLowerCase()) ?? [];
  if (prefix === undefined) return null;
  if (!secure) return 'a name with this prefix is for secure cookies only';
  return prefix === '__host-' && (domain.startsWith('.') || path !== '/')
    ? 'a name with this prefix is for one host and path / only'
    : null;
}
