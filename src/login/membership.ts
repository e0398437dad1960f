// Opens the account of a proven identity, as far as the groups of the person let it in, and heeds groups that change later. reference: Who may sign in; Groups; decision: 017
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import { readAdmission } from './admission.ts';
import { withoutSlash } from './discovery.ts';
import {
  claimNames,
  type GroupRules,
  type Groups,
  type GroupVerdict,
  isComplete,
  judgeGroups,
  namesIn,
  readGroupRules,
} from './groups.ts';
import type { Identity } from './id-token.ts';
import { type ProviderSettings, readProvider } from './providers.ts';
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
  const verdict =
    rules === null || identity.groups === null ? null : await judge(deps, rules, identity, identity.groups);
  if (verdict?.membership === 'outside') {
    const user = await findPerson(deps, identity);
    if (user !== null) {
      await noteGroups(deps, settings, user, identity);
      await shutOut(deps, user);
    }
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
  await noteGroups(deps, settings, found.user, identity);
  return found;
}

/** A directory may know of a group that the provider does not list. */
async function judge(
  deps: MembershipNeeds,
  rules: GroupRules,
  identity: Identity,
  groups: Groups,
): Promise<GroupVerdict> {
  const verdict = judgeGroups(rules, groups);
  const isSettled =
    verdict.membership === 'inside' && (verdict.role === null || verdict.role === 'administrator');
  const user = isSettled ? null : await findPerson(deps, identity);
  if (user === null) return verdict;
  const pushed = await deps.store.groups.ofDirectory(user.id);
  return pushed.length === 0
    ? verdict
    : judgeGroups(rules, { ...groups, names: [...groups.names, ...pushed] });
}

/** A list that is missing changes nothing of what an earlier sign-in said. */
async function noteGroups(
  { config, store }: MembershipNeeds,
  { name, issuer }: ProviderSettings,
  user: Pick<User, 'id'>,
  { groups }: Identity,
): Promise<void> {
  if (groups === null || !isComplete(groups)) return;
  const other = readProvider(config, name === 'idp' ? 'hosted' : 'idp');
  const isSame = other !== null && withoutSlash(other.issuer) === withoutSlash(issuer);
  await store.groups.note(user.id, name, namesIn(groups), isSame ? other.name : undefined);
}

export interface Membership {
  /**
   * A directory has put a person into these groups, or has taken the person out. With `isLeaving` it is about to take the
   * person out of all of them.
   */
  heed(userId: string, changed: readonly string[], isLeaving?: boolean): Promise<void>;
}

/** Decides by the groups of both providers, because a directory is beside them. */
export function createMembership(deps: MembershipNeeds): Membership {
  const all = (['hosted', 'idp'] as const).flatMap((name) => readGroupRules(deps.config, name) ?? []);
  const listOf = (kind: 'admin' | 'member') => {
    const names = all.flatMap((rules) => rules[kind] ?? []);
    return names.length === 0 ? undefined : names;
  };
  const rules: GroupRules = { admin: listOf('admin'), member: listOf('member'), claim: undefined };
  const decisive = [...(rules.admin ?? []), ...(rules.member ?? [])];

  return {
    async heed(userId, changed, isLeaving = false) {
      if (!changed.some((name) => decisive.includes(name))) return;
      const user = await deps.store.users.byId(userId);
      if (user === null) return;
      const own = (await deps.store.groups.of(userId)) ?? [];
      const names = isLeaving ? own.filter((name) => !changed.includes(name)) : own;
      const { membership, role } = judgeGroups(rules, { names, listed: ['groups'], leftOut: [] });
      if (membership === 'outside') return shutOut(deps, user);
      if (isLeaving) return;
      if (role !== 'unknown') await setRole(deps, user, role);
      if (user.outside_since !== null) await deps.store.people.noteOutside(userId, null);
    },
  };
}

const NO_GROUPS =
  'the provider lists no groups in these claims, neither in the token nor at userinfo, or has left some out because they are too many: let it send them (a scope, a mapper, only the groups assigned to the application), or name the claim in IDP_GROUPS_CLAIM (HOSTED_GROUPS_CLAIM at the hosted provider)';

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
 * Ends the credentials and the role of a person who is in none of the groups any more. The note keeps them out at a
 * provider that judges no groups.
 */
async function shutOut(deps: MembershipNeeds, user: User): Promise<void> {
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
