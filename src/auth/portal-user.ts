// Guards the protected portal API. reference: Authentication
import type { Context, MiddlewareHandler } from 'hono';
import type { Ports } from '../ports/ports.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { User } from '../ports/records.ts';
import type { Identify } from './caller.ts';

export type PortalEnv = { Variables: { userId: string } };

export function requirePortalUser(identify: Identify): MiddlewareHandler<PortalEnv> {
  return async function portalUser(c, next) {
    const userId = await identify(c.req.raw.headers);
    if (userId === null) throw new HttpError(401, { error: ErrorText.UNAUTHORIZED });
    c.set('userId', userId);
    // A shared cache tells users apart by Authorization and cookies, but not by API key.
    c.header('Cache-Control', 'no-store');
    await next();
  };
}

/** Loads the caller's row. A session can outlive its user. */
export async function loadUser(c: Context<PortalEnv>, { store }: Pick<Ports, 'store'>): Promise<User> {
  const user = await store.users.byId(c.var.userId);
  if (user === null) throw new HttpError(404, { error: 'User not found' });
  return user;
}
