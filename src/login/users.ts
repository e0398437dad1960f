// Finds the account of an identity: by subject, then by e-mail; otherwise creates one. reference: Users; decision: 038
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import type { SignInProvider } from '../ports/store.ts';
import type { Identity } from './id-token.ts';

type UserLookup = { user: User } | { reason: 'other-subject' };

export async function findOrCreateUser(
  { store: { users }, clock, random }: Pick<Ports, 'store' | 'clock' | 'random'>,
  provider: SignInProvider,
  { subject, email }: Identity,
): Promise<UserLookup> {
  const known = await users.bySubject(provider, subject);
  if (known !== null) return { user: known };
  const user =
    (await users.byEmail(email)) ??
    (await users.create({ id: random.uuid(), email, created_at: clock.now() }));
  try {
    return (await users.linkSubject(user.id, provider, subject)) ? { user } : { reason: 'other-subject' };
  } catch (error) {
    // Another sign-in has just stored the same subject under another e-mail: that row is the account.
    const first = await users.bySubject(provider, subject);
    if (first === null) throw error;
    return { user: first };
  }
}
