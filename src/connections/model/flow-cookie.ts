// The cookie that binds a flow to the browser that began it, and a question to the browser that was asked. decision: 025
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Config } from '../../config/config.ts';
import { FLOW_SECONDS } from '../../auth/limits.ts';
import { toHex } from '../../crypto/encoding.ts';
import type { Random } from '../../ports/random.ts';

const NAME = 'svc_connect_binding';
const SHAPE = /^[0-9a-f]{64}$/;

export interface FlowCookie {
  /** Returns the browser's binding and renews its cookie. Flows in other tabs keep the same binding. */
  bind(c: Context): string;
  /** Undefined unless the value has the format of ours. */
  read(c: Context): string | undefined;
}

type Needs = { config: Pick<Config, 'SERVER_PUBLIC_URL'>; random: Random };

export function createFlowCookie({ config, random }: Needs): FlowCookie {
  const secure = config.SERVER_PUBLIC_URL.startsWith('https:');
  // Pages of a neighbouring host cannot plant a cookie with this prefix. RFC 6265bis §4.1.3.2
  const prefix = secure ? 'host' : undefined;

  function read(c: Context): string | undefined {
    const value = getCookie(c, NAME, prefix) ?? '';
    return SHAPE.test(value) ? value : undefined;
  }

  return {
    read,
    bind(c) {
      const binding = read(c) ?? toHex(random.bytes(32));
      const attributes = {
        path: '/',
        httpOnly: true,
        sameSite: 'Lax',
        secure,
        maxAge: FLOW_SECONDS,
      } as const;
      setCookie(c, NAME, binding, prefix === undefined ? attributes : { ...attributes, prefix });
      return binding;
    },
  };
}

/** Whether a page of another origin sent the form. Our own page sends `Origin: null`, because it sends no referrer. */
export function isFromElsewhere(c: Context, base: string): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin';
  const origin = c.req.header('origin') ?? 'null';
  return origin !== 'null' && origin !== new URL(base).origin;
}
