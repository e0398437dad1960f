// Holds the rules of an issuer while somebody writes them: claims are lines of text.
import type { NewTrustedRule, TrustedRule } from '../../api/machines.ts';
import { machinesTexts } from '../../texts/machines.ts';

const { form } = machinesTexts;

export interface RuleDraft {
  sub: string;
  claims: string;
  key: string;
}

export const NEW_RULE: RuleDraft = { sub: '', claims: '', key: '' };

export const draftOf = ({ sub, claims, key }: TrustedRule): RuleDraft => ({
  sub,
  claims: Object.entries(claims)
    .map(([name, pattern]) => `${name}=${pattern}`)
    .join('\n'),
  key: key.id,
});

/** Null for a line that is no claim. */
export function readClaims(text: string): Record<string, string> | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const pairs = lines.map((line) => /^([^=\s]+)\s*=\s*(\S.*)$/.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? '']])));
}

export function ruleOf({ sub, claims, key }: RuleDraft): NewTrustedRule {
  const read = readClaims(claims) ?? {};
  return { sub: sub.trim(), key, ...(Object.keys(read).length === 0 ? {} : { claims: read }) };
}

/** Returns what is wrong, by `<index> <field>`. */
export function findRuleProblems(rules: readonly RuleDraft[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [at, { sub, claims, key }] of rules.entries()) {
    if (sub.trim() === '') problems[`${at} sub`] = form.subMissing;
    if (readClaims(claims) === null) problems[`${at} claims`] = form.claimsWrong;
    if (key === '') problems[`${at} key`] = machinesTexts.key.missing;
  }
  return problems;
}
