// Opens the account of a proven identity, as far as the groups of the idp let it in. reference: Who may sign in; Groups; decision: 017
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import { readAdmission } from './admission.ts';
import { claimNames, type GroupVerdict, judgeGroups } from './groups.ts';
import type { Identity } from './id-token.ts';
import type { ProviderSettings } from './providers.ts';
import { findOrCreateUser, type UserLookup } from './users.ts';

export type MembershipNeeds = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'> & {
  access: {
    /** Ends the keys, tokens and sessions of a person. */
    signOut(userId: string): Promise<unknown>;
  };
};

export async function admit(
  deps: MembershipNeeds,
  settings: ProviderSettings,
  identity: Identity,
  proof: 'sign-in' | 'assertion',
): Promise<UserLookup> {
  const { groups: rules } = settings;
  const verdict = rules === null || identity.groups === null ? null : judgeGroups(rules, identity.groups);
  if (verdict?.membership === 'outside') {
    await shutOut(deps, identity);
    return { reason: 'not-in-group' };
  }
  // Nothing ends where groups are missing: a provider that was configured wrongly would sign everybody out.
  if (rules !== null && verdict !== null && (await isUndecided(deps, identity, verdict, proof))) {
    const { name: provider } = settings;
    deps.log.write('warn', 'groups missing', { provider, proof, claims: claimNames(rules), hint: NO_GROUPS });
    return { reason: 'no-groups' };
  }
  const found = await findOrCreateUser(deps, readAdmission(deps.config, settings), identity);
  if (!('user' in found)) return found;
  const role = verdict?.role ?? null;
  if (role !== 'unknown') await setRole(deps, found.user, role);
  if (verdict !== null && found.user.outside_since !== null)
    await deps.store.people.noteOutside(found.user.id, null);
  return found;
}

const NO_GROUPS =
  'the provider lists no groups in these claims, neither in the token nor at userinfo, or has left some out because they are too many: let it send them (a scope, a mapper, only the groups assigned to the application), or name the claim in IDP_GROUPS_CLAIM';

/**
 * Whether a missing list of groups keeps a person out. It takes nothing from members and owners, because groups only
 * make more of the former and nothing of the latter. Providers issue assertions that never list groups.
 */
async function isUndecided(
  deps: MembershipNeeds,
  identity: Identity,
  { membership, role }: GroupVerdict,
  proof: 'sign-in' | 'assertion',
): Promise<boolean> {
  if (membership === 'unknown') return true;
  if (role !== 'unknown' || proof === 'assertion') return false;
  const user = await findPerson(deps, identity);
  return user !== null && user.is_admin && !user.is_owner;
}

/**
 * Ends the credentials and the role of a person whom the idp has taken out of the groups. The note keeps them out at the
 * hosted provider, which knows no groups.
 */
async function shutOut(deps: MembershipNeeds, identity: Identity): Promise<void> {
  const user = await findPerson(deps, identity);
  if (user === null) return;
  await deps.store.people.noteOutside(user.id, user.outside_since ?? deps.clock.now());
  await setRole(deps, user, 'member');
  await deps.access.signOut(user.id);
  deps.log.write('warn', 'a person outside the groups was signed out', { user: user.id });
}

/** Finds only an account that the identity could open. */
async function findPerson({ store: { users } }: MembershipNeeds, identity: Identity): Promise<User | null> {
  const known = await users.bySubject(identity);
  if (known !== null || !identity.isVerified) return known;
  const user = await users.byEmail(identity.email);
  const isOfOther = user !== null && user.idp_sub !== null && user.idp_iss === identity.issuer;
  return isOfOther || user?.unverified_since !== null ? null : user;
}

// The store keeps the last owner an owner, also when the row that was read is older.
async function setRole(
  { log, store }: MembershipNeeds,
  user: User,
  role: 'administrator' | 'member' | null,
): Promise<void> {
  if (role === null || user.is_owner || user.is_admin === (role === 'administrator')) return;
  if ((await store.people.setRole(user.id, role)) === 'done')
    log.write('info', 'role set by group', { user: user.id, role });
}
