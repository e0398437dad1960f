// Allows only the portal's own origin to drive a browser. reference: Live view
import type { Config } from '../config/config.ts';
import { HttpError } from '../http/errors.ts';

export type RequireOrigin = (presented: string | undefined, mayBeAbsent: boolean) => void;

export function createRequireOrigin(config: Pick<Config, 'PORTAL_URL' | 'SERVER_PUBLIC_URL'>): RequireOrigin {
  const allowed = new Set([config.PORTAL_URL, config.SERVER_PUBLIC_URL].map((url) => new URL(url).origin));
  return function requireOrigin(presented, mayBeAbsent) {
    if (presented === undefined && mayBeAbsent) return;
    const origin = URL.parse(presented ?? '')?.origin;
    if (origin === undefined || !allowed.has(origin))
      throw new HttpError(403, { error: 'Origin not allowed' });
  };
}
