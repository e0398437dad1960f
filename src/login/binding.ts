// The cookies of an authorization: one binds its ticket to the browser, others keep what the ticket cannot carry.
// reference: Authorize tickets; decision: 023
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Config } from '../config/config.ts';
import { FLOW_SECONDS } from '../auth/limits.ts';
import { REQUEST_COOKIE_CHARACTERS } from './limits.ts';
import type { MakeTicket } from './login.ts';

const NAME = 'svc_oauth_binding';
const SHAPE = /^[0-9a-f]{64}$/;

export interface BindingCookie {
  set(c: Context, binding: string): void;
  /** Undefined unless the value has the format of ours. */
  read(c: Context): string | undefined;
  clear(c: Context): void;
}

/**
 * Pages of a neighbouring host can plant a cookie for both hosts, and anybody can publish on jots.example.com
 * beside gate.example.com. So a second cookie is set that they cannot plant: RFC 6265bis §4.1.3.2.
 */
export function createBindingCookie({
  SERVER_PUBLIC_URL,
  JOTS_ORIGIN,
}: Pick<Config, 'SERVER_PUBLIC_URL' | 'JOTS_ORIGIN'>): BindingCookie {
  const secure = SERVER_PUBLIC_URL.startsWith('https:');
  const plain: CookieOptions = { path: '/', httpOnly: true, sameSite: 'Lax', secure };
  const all: CookieOptions[] =
    secure && JOTS_ORIGIN !== undefined ? [plain, { ...plain, prefix: 'host' }] : [plain];
  return {
    set(c, binding) {
      for (const options of all) setCookie(c, NAME, binding, { ...options, maxAge: FLOW_SECONDS });
    },
    read(c) {
      const [first = '', ...others] = all.map(({ prefix }) => getCookie(c, NAME, prefix));
      return SHAPE.test(first) && others.every((other) => other === first) ? first : undefined;
    },
    clear(c) {
      for (const options of all) deleteCookie(c, NAME, options);
    },
  };
}

export interface RequestCookies {
  /** Keeps a sealed request of at most two pieces. */
  set(c: Context, sealed: string): void;
  /** Empty when the browser keeps none. */
  read(c: Context): string;
  clear(c: Context): void;
}

const REQUEST_NAMES = ['svc_oauth_request_0', 'svc_oauth_request_1'] as const;

/** Browsers keep 4,096 bytes in a cookie. The names are fixed, so that nobody can fill a browser with cookies. */
export function createRequestCookies({
  SERVER_PUBLIC_URL,
}: Pick<Config, 'SERVER_PUBLIC_URL'>): RequestCookies {
  const secure = SERVER_PUBLIC_URL.startsWith('https:');
  const options: CookieOptions = {
    path: '/api/auth/hosted/callback',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
  };
  const readPieces = (c: Context) => REQUEST_NAMES.map((name) => getCookie(c, name) ?? '');
  return {
    set(c, sealed) {
      REQUEST_NAMES.forEach((name, at) => {
        const begins = at * REQUEST_COOKIE_CHARACTERS;
        const piece = sealed.slice(begins, begins + REQUEST_COOKIE_CHARACTERS);
        setCookie(c, name, piece, { ...options, maxAge: FLOW_SECONDS });
      });
    },
    read: (c) => readPieces(c).join(''),
    clear(c) {
      if (readPieces(c).every((piece) => piece === '')) return;
      for (const name of REQUEST_NAMES) deleteCookie(c, name, options);
    },
  };
}

export interface TicketCookies {
  binding: BindingCookie;
  request: RequestCookies;
}

/** Returns what makes the ticket of a sign-in, and keeps in the browser what resumes the ticket there. */
export function keepInBrowser(
  c: Context,
  cookies: TicketCookies,
  { binding, makeTicket }: { binding: string; makeTicket: MakeTicket },
): (signIn: string) => Promise<string> {
  return async (signIn) => {
    const { ticket, rest } = await makeTicket(signIn);
    cookies.binding.set(c, binding);
    if (rest !== '') cookies.request.set(c, rest);
    return ticket;
  };
}
