// Reads and stores what agents may do: the person's rules and the rules for everyone. reference: Rules
import type { ApprovalList } from '../../src/policy/approval-operations.ts';
import type {
  OwnRulesAnswer,
  RulesAnswer,
  RulesForEveryoneAnswer,
} from '../../src/policy/rules-operations.ts';
import { ApiError, request } from './client.ts';

/** Applies to the tools that match every member that is set. */
export type Rule = RulesAnswer['rules'][number];
export type Decision = Rule['decision'];

const OWN = '/api/policy';
const FOR_EVERYONE = '/api/admin/policy';

/** The person's rules, and the rules for everyone that hold as well. */
export type RulesInForce = Required<Pick<OwnRulesAnswer, 'rules' | 'everyone'>>;

export async function fetchRules(): Promise<RulesInForce> {
  const { rules, everyone = [] } = await request<OwnRulesAnswer>(OWN);
  return { rules, everyone };
}

export async function saveRules(rules: readonly Rule[]): Promise<readonly Rule[]> {
  return (await request<RulesAnswer>(OWN, { method: 'PUT', body: { rules } })).rules;
}

export type RulesForEveryone = RulesForEveryoneAnswer;

/** Returns null for a person who is no administrator. */
export async function fetchRulesForEveryone(): Promise<RulesForEveryone | null> {
  try {
    return await request<RulesForEveryoneAnswer>(FOR_EVERYONE);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}

export async function saveRulesForEveryone(rules: readonly Rule[]): Promise<readonly Rule[]> {
  return (await request<RulesAnswer>(FOR_EVERYONE, { method: 'PUT', body: { rules } })).rules;
}

/** Counts the person's calls that wait for an answer, or have one and have not run. A change of the rules ends them. */
export async function countOpenApprovals(): Promise<number> {
  return (await request<ApprovalList>('/api/approvals?state=pending,approved&limit=100')).approvals.length;
}
