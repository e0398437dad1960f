// Reads the groups of a person from the claims of a sign-in provider, and decides by them. reference: Groups; decision: 017
import type { Config } from '../config/config.ts';
import { GROUP_NAME_CHARACTERS } from '../ports/groups.ts';
import type { SignInProvider } from '../ports/store.ts';

export interface GroupRules {
  /** Undefined leaves every role as it is. */
  admin: readonly string[] | undefined;
  /** Undefined lets everybody in. */
  member: readonly string[] | undefined;
  /** The claim that lists the groups; undefined means the usual ones. */
  claim: string | undefined;
}

/** Null when nothing about groups is configured for the provider. With a claim alone, groups are only noted. */
export function readGroupRules(config: Config, provider: SignInProvider): GroupRules | null {
  const [admin, member, claim] =
    provider === 'idp'
      ? [config.IDP_ADMIN_GROUP, config.IDP_MEMBER_GROUP, config.IDP_GROUPS_CLAIM]
      : [config.HOSTED_ADMIN_GROUP, config.HOSTED_MEMBER_GROUP, config.HOSTED_GROUPS_CLAIM];
  return [admin, member, claim].every((each) => each === undefined) ? null : { admin, member, claim };
}

const USUAL_CLAIMS = ['groups', 'roles'];

type Claims = Readonly<Record<string, unknown>>;

export interface Groups {
  names: readonly string[];
  /** The claims that have a list. A missing list is no empty one. */
  listed: readonly string[];
  /** The claims that the provider left out, because their list is too long. */
  leftOut: readonly string[];
}

export const claimNames = ({ claim }: Pick<GroupRules, 'claim'>): readonly string[] =>
  claim === undefined ? USUAL_CLAIMS : [claim];

export function readGroups(claims: Claims, rules: Pick<GroupRules, 'claim'>): Groups {
  const names = claimNames(rules);
  const lists = names.map((name) => toList(find(claims, name)));
  // OpenID Connect Core §5.6.2: the claim is elsewhere. Entra does this beyond 200 groups.
  const elsewhere = Object.keys(Object(claims['_claim_names']));
  return {
    names: lists.flatMap((list) => list ?? []),
    listed: names.filter((_, at) => lists[at] !== null),
    leftOut: names.filter((name) => elsewhere.includes(name)),
  };
}

export const joinGroups = (one: Groups, other: Groups): Groups => ({
  names: [...one.names, ...other.names],
  listed: [...one.listed, ...other.listed],
  leftOut: [...one.leftOut, ...other.leftOut],
});

/** The name of a claim may itself have dots, as an address does. Otherwise they lead into objects. */
function find(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object.entries(value).find(([own]) => own === key)?.[1];
  }
  return value;
}

function toList(value: unknown): string[] | null {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
}

/** Whether the lists are all that there is: a missing claim is not an empty one. */
export const isComplete = ({ listed, leftOut }: Groups): boolean =>
  listed.length > 0 && leftOut.every((name) => listed.includes(name));

/** Names that no database could index are of no group that anybody has named. */
export const namesIn = ({ names }: Groups): string[] =>
  [...new Set(names)].filter((name) => name !== '' && name.length <= GROUP_NAME_CHARACTERS);

/** What the groups of a person say. `unknown` is what a missing list leaves open. */
export interface GroupVerdict {
  membership: 'inside' | 'outside' | 'unknown';
  /** Null where groups leave the role as it is. */
  role: 'administrator' | 'member' | 'unknown' | null;
}

export function judgeGroups({ admin, member }: GroupRules, groups: Groups): GroupVerdict {
  const { names } = groups;
  const isWhole = isComplete(groups);
  const isIn = (named: readonly string[] | undefined) =>
    named?.some((group) => names.includes(group)) === true;
  const isAdministrator = isIn(admin);
  const isMember = member === undefined || isAdministrator || isIn(member);
  const isNot = isWhole ? 'outside' : 'unknown';
  const lesser = isWhole ? 'member' : 'unknown';
  return {
    membership: isMember ? 'inside' : isNot,
    role: admin === undefined ? null : isAdministrator ? 'administrator' : lesser,
  };
}

/** Whether a list that is missing would change the verdict. Where groups are only noted, the list itself is wanted. */
export const isOpen = ({ admin, member }: GroupRules, { membership, role }: GroupVerdict): boolean =>
  membership === 'unknown' || role === 'unknown' || (admin === undefined && member === undefined);
