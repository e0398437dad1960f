// Decides who administers the gateway, and guards the routes of administrators. reference: Administrators; decision: 027
import type { Context, MiddlewareHandler } from 'hono';
import { HttpError } from '../http/errors.ts';
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import { loadUser, type PortalEnv } from './portal-user.ts';
import { createReadRole } from './role.ts';

export type IsAdministrator = (user: Pick<User, 'email' | 'is_admin' | 'is_owner'>) => boolean;

export function createIsAdministrator(hasSignInProvider: boolean): IsAdministrator {
  const readRole = createReadRole(hasSignInProvider);
  return (user) => readRole(user) !== 'member';
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
