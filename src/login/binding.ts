// The cookie that ties an authorize ticket to the browser it was given to. spec: SSO resumption
import type { CookieOptions } from 'hono/utils/cookie';
import type { Config } from '../config.ts';

export const BINDING_COOKIE = 'svc_oauth_binding';

export function bindingOptions({ SERVER_PUBLIC_URL }: Pick<Config, 'SERVER_PUBLIC_URL'>): CookieOptions {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: SERVER_PUBLIC_URL.startsWith('https:') };
}

/** What a sign-in may lead to besides the portal; the authorization server brings it. */
export interface Tickets {
  /** Uses the ticket up; null when there is no such ticket. */
  take(ticket: string): Promise<Resumption | null>;
}

/** Where the signed-in browser goes on, or null when it is not the one that began. */
export type Resumption = (browser: { userId: string; binding: string | undefined }) => Promise<string | null>;
