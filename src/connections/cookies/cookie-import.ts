// Reads an imported session: our own export, a bare array, Playwright's storageState or a Cookie-Editor export.
import * as z from 'zod';
import { describeIssues } from '../../kit/validation.ts';
import { canonicalHost, isAddress } from './cookie-domains.ts';
import {
  type Bundle,
  brokenPrefix,
  type Cookie,
  MAX_COOKIE_BYTES,
  isSameCookie,
  isTooLong,
  MAX_COOKIES,
  sameSiteOf,
} from '../model/cookies.ts';

export type ReadSession =
  /** `instanceUrl` is the instance that the session itself names. */
  { ok: true; bundle: Bundle; instanceUrl: string | undefined } | { ok: false; message: string };

/** Text that is sent in a header or compared with a part of one. */
const text = z
  .string()
  .refine((value) => !/[\0-\x1f\x7f;]/.test(value), { error: 'holds a semicolon or a control character' })
  .refine((value) => !isTooLong(value), { error: `is longer than ${MAX_COOKIE_BYTES} bytes` });
const flag = z.boolean().nullish();

/** A cookie of an import. */
export const GivenCookie = z.object(
  {
    name: text.refine((name) => name !== '' && !name.includes('='), {
      error: 'is empty or contains an equals sign',
    }),
    value: text,
    domain: z.string(),
    path: text.nullish(),
    expires: z.number().nullish(),
    // Browser extensions such as Cookie-Editor write these three, and sameSite "no_restriction".
    expirationDate: z.number().nullish(),
    hostOnly: flag,
    session: flag,
    secure: flag,
    httpOnly: flag,
    sameSite: z.string().nullish(),
  },
  { error: 'must be an object with name, value and domain' },
);

const Imported = GivenCookie.transform((given, context): Cookie => {
  const refuse = (field: string, message: string) => {
    context.addIssue({ code: 'custom', path: [field], message });
    return z.NEVER;
  };
  const host = canonicalHost(given.domain);
  if (host === null) return refuse('domain', 'is not a host name');
  // RFC 6265 §5.1.3: an IP address has no subdomains.
  const hostOnly = given.hostOnly ?? !given.domain.startsWith('.');
  const path = given.path || '/';
  if (!path.startsWith('/')) return refuse('path', 'does not begin with /');
  const cookie: Cookie = {
    name: given.name,
    value: given.value,
    domain: hostOnly || isAddress(host) ? host : `.${host}`,
    path,
    expires: given.session === true ? -1 : (given.expires ?? given.expirationDate ?? -1),
    secure: given.secure ?? false,
    httpOnly: given.httpOnly ?? false,
    ...sameSiteOf(given.sameSite === 'no_restriction' ? 'None' : given.sameSite),
  };
  // No browser stores such a cookie, so the list is damaged. Without this cookie the session would be incomplete.
  const broken = brokenPrefix(cookie);
  return broken === null ? cookie : refuse('name', broken);
});

/** An imported session that is no bare list of cookies. */
export const GivenSession = z.object(
  {
    v: z.literal(1, { error: 'is an unknown version' }).nullish(),
    cookies: z
      .array(z.unknown(), { error: 'must be a list' })
      .min(1, { error: 'is empty' })
      // The count is checked before any cookie is parsed.
      .max(MAX_COOKIES, { error: `has more than ${MAX_COOKIES} cookies` })
      .pipe(z.array(Imported)),
    userAgent: z
      .string()
      .regex(/^[ -~]{1,512}$/, { error: 'is not a single line of at most 512 plain characters' })
      .nullish(),
    capturedAt: z.number().nonnegative().nullish(),
    /** Our own export names the instance of the session. */
    instanceUrl: z.string().nullish(),
  },
  { error: 'A session is a list of cookies, or an object with one in "cookies"' },
);

/** A message names a wrong cookie by its index in the list, never by its content. */
export function readSession(input: unknown, now: number): ReadSession {
  const session = GivenSession.safeParse(Array.isArray(input) ? { cookies: input } : input);
  if (!session.success) {
    // Only the first issue is reported: every cookie of a list may have the same fault.
    const first = new z.ZodError(session.error.issues.slice(0, 1));
    return { ok: false, message: describeIssues(first) };
  }
  const { cookies, userAgent, capturedAt, instanceUrl } = session.data;
  const bundle: Bundle = {
    v: 1,
    cookies: removeRepeats(cookies),
    // A time in the future is replaced with the current time.
    capturedAt: Math.min(capturedAt ?? now, now),
  };
  return {
    ok: true,
    bundle: typeof userAgent === 'string' ? { ...bundle, userAgent } : bundle,
    instanceUrl: instanceUrl ?? undefined,
  };
}

// As in a browser, a later cookie replaces an earlier one.
function removeRepeats(cookies: readonly Cookie[]): Cookie[] {
  const kept: Cookie[] = [];
  for (const cookie of cookies) {
    const index = kept.findIndex((other) => isSameCookie(other, cookie));
    if (index === -1) kept.push(cookie);
    else kept[index] = cookie;
  }
  return kept;
}
