// Decides who administers the gateway, and guards the routes of administrators. reference: Administrators; decision: 103
import type { Context, MiddlewareHandler } from 'hono';
import { HttpError } from '../http/errors.ts';
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import { loadUser, type PortalEnv } from './portal-user.ts';

/** The person of a gateway without a sign-in provider. decision: 013 */
export const OWNER_EMAIL = 'owner@localhost';

export type IsAdministrator = (user: Pick<User, 'email' | 'is_admin'>) => boolean;

/** Only the operator can make the owner. A sign-in provider might let a stranger in by that address. */
export function createIsAdministrator(hasSignInProvider: boolean): IsAdministrator {
  return ({ email, is_admin }) => is_admin || (!hasSignInProvider && email === OWNER_EMAIL);
}

export type AdministratorNeeds = Pick<Ports, 'store'> & { isAdministrator: IsAdministrator };

/** Answers 403 unless the caller is an administrator. It runs after `requirePortalUser`. */
export function requireAdministrator({
  store,
  isAdministrator,
}: AdministratorNeeds): MiddlewareHandler<PortalEnv> {
  return async function administrator(c: Context<PortalEnv>, next) {
    if (!isAdministrator(await loadUser(c, { store })))
      throw new HttpError(403, { error: 'Only an administrator of this gateway may do that' });
    await next();
  };
}
