// The cookie that binds an authorize ticket to the browser that got it. reference: Authorize tickets
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Config } from '../config/config.ts';
import { FLOW_SECONDS } from '../config/limits.ts';

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
