// Reads and changes the rules for everyone that hold for groups, and the limits of calls beside them. decision: 070
import type { Integration } from '../../api/integrations.ts';
import type { Decision, Rule } from '../../api/policy.ts';
import type { Tool } from '../../api/tools.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { describeTarget } from './exception-list.ts';
import { isSameTarget, type Target } from './rule-list.ts';

const words = rulesTexts.groups;

export const isOfGroups = ({ groups, perMinute }: Rule): boolean => (groups ?? perMinute) !== undefined;

export const groupRulesOf = (rules: readonly Rule[]): Rule[] => rules.filter(isOfGroups);

/** Sets the one rule of this group with this target. */
export function withGroupRule(
  rules: readonly Rule[],
  group: string,
  target: Target,
  decision: Decision,
): Rule[] {
  const isMeant = (rule: Rule) =>
    (rule.after ?? rule.redact ?? rule.perMinute) === undefined &&
    rule.groups?.join() === group &&
    isSameTarget(rule, target);
  return [...rules.filter((rule) => !isMeant(rule)), { ...target, groups: [group], decision }];
}

export const withoutGroupRule = (rules: readonly Rule[], gone: Rule): Rule[] =>
  rules.filter((rule) => JSON.stringify(rule) !== JSON.stringify(gone));

/** Names what the rule is about. */
export function sayRule(
  { redact, perMinute, decision: _, ...rule }: Rule,
  integrations: readonly Pick<Integration, 'name' | 'displayName'>[],
  tools: readonly Pick<Tool, 'name' | 'integration'>[],
): string {
  if (perMinute !== undefined) return words.perMinute(perMinute);
  const nameOf = new Map(integrations.map(({ name, displayName }) => [name, displayName]));
  const homeOf = new Map(tools.map(({ name, integration }) => [name, integration]));
  const kind = rule.access === undefined ? undefined : rulesTexts.exceptions.kinds[rule.access];
  const { subject, detail } =
    rule.integration === undefined && rule.tool === undefined
      ? { subject: words.everywhere, detail: kind ?? '' }
      : describeTarget(rule, nameOf, homeOf);
  const more = [
    detail,
    rule.after === undefined ? '' : words.after,
    redact === undefined ? '' : rulesTexts.outside.redact.effects[redact],
  ];
  return [subject, ...more.filter((part) => part !== '')].join(' · ');
}

export const sayGroups = ({ groups }: Rule): string =>
  groups === undefined ? words.ofEveryone : words.of(groups);
