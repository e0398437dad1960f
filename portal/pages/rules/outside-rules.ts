// Reads and changes the rules for what follows content from outside, and for what is taken out of results. decision: 063
import type { Rule } from '../../api/policy.ts';
import { isOfGroups } from './group-rules.ts';
import { isUsual } from './rule-list.ts';

/** What holds after content from outside. `own`: rules that fit no preset. */
export type AfterOutside = 'nothing' | 'deletions' | 'changes' | 'block' | 'own';
export type Redact = NonNullable<Rule['redact']>;

export const REDACTIONS = ['secrets', 'personal'] as const satisfies readonly Redact[];
export const AFTER_OUTSIDE = ['nothing', 'deletions', 'changes', 'block'] as const;

const PRESETS: Readonly<Record<Exclude<AfterOutside, 'own'>, readonly Rule[]>> = {
  nothing: [],
  deletions: [{ access: 'destroy', after: 'outside', decision: 'ask' }],
  changes: [
    { access: 'write', after: 'outside', decision: 'ask' },
    { access: 'destroy', after: 'outside', decision: 'ask' },
  ],
  block: [
    { access: 'write', after: 'outside', decision: 'block' },
    { access: 'destroy', after: 'outside', decision: 'block' },
  ],
};

const isGeneral = ({ after, groups, integration, tool }: Rule): boolean =>
  after !== undefined && (groups ?? integration ?? tool) === undefined;

const keyOf = ({ access, decision }: Rule): string => `${access ?? ''} ${decision}`;

export function afterOutsideOf(rules: readonly Rule[]): AfterOutside {
  const general = rules.filter(isGeneral).map(keyOf).toSorted().join();
  return AFTER_OUTSIDE.find((name) => PRESETS[name].map(keyOf).toSorted().join() === general) ?? 'own';
}

/** Sets what holds in general, and keeps the rules for single integrations and tools. */
export const withAfterOutside = (
  rules: readonly Rule[],
  choice: Exclude<AfterOutside, 'own'>,
): readonly Rule[] => [...rules.filter((rule) => !isGeneral(rule)), ...PRESETS[choice]];

/** The rules that are shown one by one. Those for groups have a place of their own. */
export const specialOf = (rules: readonly Rule[]): Rule[] =>
  rules.filter((rule) => !isUsual(rule) && !isGeneral(rule) && !isOfGroups(rule));

const isSame = (one: Rule, other: Rule): boolean =>
  !isOfGroups(one) &&
  one.integration === other.integration &&
  one.tool === other.tool &&
  one.after === other.after &&
  one.redact === other.redact &&
  keyOf(one) === keyOf(other);

export const without = (rules: readonly Rule[], gone: Rule): Rule[] =>
  rules.filter((rule) => !isSame(rule, gone));

export const withSpecial = (rules: readonly Rule[], added: Rule): Rule[] => [...without(rules, added), added];
