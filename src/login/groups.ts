// Reads the groups of a person from the claims of the idp, and decides by them. reference: Groups; decision: 017
import type { Config } from '../config/config.ts';

export interface GroupRules {
  /** Undefined leaves every role as it is. */
  admin: readonly string[] | undefined;
  /** Undefined lets everybody in. */
  member: readonly string[] | undefined;
  /** The claim that lists the groups; undefined means the usual ones. */
  claim: string | undefined;
}

/** Null when no group is configured. */
export function readGroupRules({
  IDP_ADMIN_GROUP: admin,
  IDP_MEMBER_GROUP: member,
  IDP_GROUPS_CLAIM: claim,
}: Config): GroupRules | null {
  return admin === undefined && member === undefined ? null : { admin, member, claim };
}

const USUAL_CLAIMS = ['groups', 'roles'];

type Claims = Readonly<Record<string, unknown>>;

/** Returns null when no claim lists groups. */
export function readGroups(claims: Claims, { claim }: Pick<GroupRules, 'claim'>): readonly string[] | null {
  const names = claim === undefined ? USUAL_CLAIMS : [claim];
  const lists = names.map((name) => toList(find(claims, name))).filter((list) => list !== null);
  return lists.length === 0 ? null : lists.flat();
}

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

/** What the groups of a person say. `role` is null where they leave the role as it is. */
export type GroupVerdict = { isMember: boolean; role: 'administrator' | 'member' | null };

export function judgeGroups({ admin, member }: GroupRules, groups: readonly string[] | null): GroupVerdict {
  const isIn = (names: readonly string[] | undefined) =>
    names !== undefined && groups !== null && groups.some((group) => names.includes(group));
  const isAdministrator = isIn(admin);
  const isMember = member === undefined || isAdministrator || isIn(member);
  if (admin === undefined || groups === null) return { isMember, role: null };
  return { isMember, role: isAdministrator ? 'administrator' : 'member' };
}
