// Reads a person's role on this gateway. reference: People
import type { Role } from '../ports/people.ts';
import { OWNER_EMAIL, type User } from '../ports/records.ts';

export type ReadRole = (person: Pick<User, 'email' | 'is_admin' | 'is_owner'>) => Role;

/** Only the operator can make `owner@localhost`. A sign-in provider might let a stranger in by that address. */
export const isLocalOwner = ({ email }: Pick<User, 'email'>, hasSignInProvider: boolean): boolean =>
  !hasSignInProvider && email === OWNER_EMAIL;

export function roleOf({ is_admin, is_owner }: Pick<User, 'is_admin' | 'is_owner'>): Role {
  if (is_owner) return 'owner';
  return is_admin ? 'administrator' : 'member';
}

/** The person of a gateway without a sign-in provider owns it, whatever is stored. */
export function createReadRole(hasSignInProvider: boolean): ReadRole {
  return (person) => (isLocalOwner(person, hasSignInProvider) ? 'owner' : roleOf(person));
}
