// People with roles.
import type { Role } from '../../src/ports/people.ts';
import type { TestApp, TestUser } from './test-app.ts';

/** Enables a sign-in provider, so that `owner@localhost` is nobody special. */
export const PROVIDER = { HOSTED_CLIENT_ID: 'x', HOSTED_CLIENT_SECRET: 'y' };

/** Creates a person with a role, a key and a session. */
export async function userWithRole(
  app: Pick<TestApp, 'deps' | 'user'>,
  email: string,
  role: Role,
): Promise<TestUser> {
  const user = await app.user(email);
  await app.deps.store.people.setRole(user.id, role);
  return user;
}

/** Leaves the gateway with the owners that a test makes. */
export async function demoteFirst({ deps }: Pick<TestApp, 'deps'>): Promise<void> {
  const first = await deps.store.users.byEmail('first@example.com');
  if (first === null) throw new Error('the first person is gone');
  await deps.store.people.setRole(first.id, 'member');
}
