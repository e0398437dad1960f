// Finds the account of an identity: by subject, then by e-mail; otherwise creates one. reference: Users; decision: 016
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import { type Admission, isListed } from './admission.ts';
import type { Identity } from './id-token.ts';
import type { AccountReason } from './outcome.ts';

export interface SignedIn {
  user: User;
  /** Whether an account with this unverified address was ended for this person. */
  tookOver: boolean;
}

export type UserLookup = SignedIn | { reason: AccountReason };
type Needs = Pick<Ports, 'config' | 'store' | 'clock' | 'log' | 'random'>;

export async function findOrCreateUser(
  deps: Needs,
  admission: Admission,
  identity: Identity,
): Promise<UserLookup> {
  if (admission.kind === 'list') {
    // Anybody could name a listed address that nobody has verified.
    if (!identity.isVerified) return { reason: 'unverified-email' };
    if (!isListed(admission.entries, identity) && !(await isInvited(deps, identity)))
      return { reason: 'not-allowed' };
  }
  const known = await findKnown(deps, identity);
  if (known !== null) return known;
  try {
    return identity.isVerified
      ? await openByEmail(deps, admission, identity)
      : await createUnverified(deps, admission, identity);
  } catch (error) {
    // Another sign-in has just stored the same subject under another e-mail: that row is the account.
    const first = await findKnown(deps, identity);
    if (first === null) throw error;
    return first;
  }
}

/** An administrator may invite an address that is not on the list. The person may have another address by now. */
async function isInvited({ store: { users } }: Needs, identity: Identity): Promise<boolean> {
  const user = (await users.bySubject(identity)) ?? (await users.byEmail(identity.email));
  return user !== null && user.invited_at !== null;
}

/** Why an account does not open for this identity, or null. A provider with member groups judges its people at each sign-in. */
function shutReason(
  { config }: Needs,
  { deleted_at, disabled_at, outside_since, unverified_since }: User,
  { provider }: Identity,
): 'disabled' | 'deleting' | 'not-in-group' | null {
  if (deleted_at !== null) return 'deleting';
  if (disabled_at !== null) return 'disabled';
  // An unverified account may be a stranger's, who only wrote this address.
  const isOutside = outside_since !== null && unverified_since === null;
  const { HOSTED_MEMBER_GROUP: hosted, IDP_MEMBER_GROUP: idp } = config;
  const [own, other] = provider === 'hosted' ? [hosted, idp] : [idp, hosted];
  return isOutside && own === undefined && other !== undefined ? 'not-in-group' : null;
}

async function findKnown(deps: Needs, identity: Identity): Promise<UserLookup | null> {
  const { users } = deps.store;
  const user = await users.bySubject(identity);
  if (user === null) return null;
  const shut = shutReason(deps, user, identity);
  if (shut !== null) return { reason: shut };
  // A row of version 0.1 has no issuer yet.
  const issuer = identity.provider === 'hosted' ? user.hosted_iss : user.idp_iss;
  if (issuer === null && !(await users.linkSubject(user.id, identity))) return null;
  const confirms = user.unverified_since !== null && identity.isVerified && identity.email === user.email;
  // False when a verified sign-in has just taken the account over.
  if (confirms && !(await users.confirmEmail(user.id))) return null;
  return { user, tookOver: false };
}

async function openByEmail(deps: Needs, admission: Admission, identity: Identity): Promise<UserLookup> {
  const { users } = deps.store;
  const next = newUser(deps, identity);
  const needsInvitation = admission.kind === 'invited';
  const account =
    (await users.byEmail(identity.email)) ??
    // The second look-up finds the row of the same person's other sign-in, which was first.
    (needsInvitation
      ? ((await users.createFirst(next)) ?? (await users.byEmail(identity.email)))
      : await users.create(next));
  if (account === null) return { reason: 'not-invited' };
  // An account that a stranger made with this address is no invitation.
  if (needsInvitation && account.unverified_since !== null && account.invited_at === null)
    return { reason: 'not-invited' };
  const shut = shutReason(deps, account, identity);
  if (shut !== null) return { reason: shut };
  const { user, tookOver } =
    account.unverified_since === null
      ? { user: account, tookOver: false }
      : await users.takeOver(account.id, next);
  if (tookOver)
    deps.log.write('warn', 'an account with an unverified e-mail address was ended', {
      provider: identity.provider,
      ended: account.id,
      user: user.id,
    });
  return (await users.linkSubject(user.id, identity)) ? { user, tookOver } : { reason: 'other-subject' };
}

/** Finds no account by an address that anybody could have typed. */
async function createUnverified(deps: Needs, admission: Admission, identity: Identity): Promise<UserLookup> {
  if (admission.kind === 'invited') return { reason: 'unverified-email' };
  const next = newUser(deps, identity);
  const user = await deps.store.users.create({ ...next, unverified_since: next.created_at }, identity);
  if (user.id === next.id) return { user, tookOver: false };
  // The same person's other sign-in may have been first.
  return (await findKnown(deps, identity)) ?? { reason: 'unverified-email' };
}

const newUser = ({ clock, random }: Needs, { email }: Identity) => ({
  id: random.uuid(),
  email,
  created_at: clock.now(),
});
