// Reads a list of rules as the portal shows it, a decision for each level and exceptions, and changes it. The gateway
// decides in the same way. reference: Rules
import type { Decision, Rule } from '../../api/policy.ts';
import type { Access } from '../../api/tools.ts';

export const LEVELS = ['read', 'write', 'destroy'] as const satisfies readonly Access[];
export const DECISIONS = ['allow', 'ask', 'block'] as const satisfies readonly Decision[];

/** What the rules without an integration and a tool decide. */
export type Levels = Readonly<Record<Access, Decision>>;

export const PRESETS = {
  everything: { read: 'allow', write: 'allow', destroy: 'allow' },
  changes: { read: 'allow', write: 'ask', destroy: 'ask' },
  deletions: { read: 'allow', write: 'allow', destroy: 'ask' },
  reading: { read: 'allow', write: 'block', destroy: 'block' },
} as const satisfies Record<string, Levels>;

export type Preset = keyof typeof PRESETS;
// `Object.keys` returns the keys of the constant above.
export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** What a rule is about. */
export type Target = Pick<Rule, 'access' | 'integration' | 'tool'>;

/** What a call would do. */
export interface Subject {
  integration: string;
  tool: string | null;
  access: Access;
}

export const stricter = (one: Decision, other: Decision): Decision =>
  DECISIONS.indexOf(one) >= DECISIONS.indexOf(other) ? one : other;

/** Tool over integration and access, over integration, over access, over nothing. */
function specificity({ tool, integration, access }: Rule): number {
  if (tool !== undefined) return 4;
  if (integration !== undefined) return access === undefined ? 2 : 3;
  return access === undefined ? 0 : 1;
}

/** The most specific rule decides, and the strictest of equals. */
export function decide(rules: readonly Rule[], subject: Subject): Decision {
  const matching = rules.filter((rule) => isUsual(rule) && matches(rule, subject));
  const most = Math.max(...matching.map(specificity));
  return matching
    .filter((rule) => specificity(rule) === most)
    .map(({ decision }) => decision)
    .reduce<Decision>(stricter, 'allow');
}

/** Whether the rule decides about every call. The others are for what follows outside content, for results and for groups. */
export const isUsual = ({ after, groups, perMinute, redact }: Rule): boolean =>
  (after ?? groups ?? perMinute ?? redact) === undefined;

function matches({ integration, tool, access }: Rule, subject: Subject): boolean {
  return (
    (tool === undefined || tool === subject.tool) &&
    (integration === undefined || integration === subject.integration) &&
    (access === undefined || access === subject.access)
  );
}

const isException = ({ integration, tool }: Target): boolean =>
  integration !== undefined || tool !== undefined;

/** The rules for single integrations and tools. */
export function exceptionsOf(rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => isUsual(rule) && isException(rule));
}

export function levelsOf(rules: readonly Rule[]): Levels {
  const general = rules.filter((rule) => !isException(rule));
  const of = (access: Access) => decide(general, { integration: '', tool: null, access });
  return { read: of('read'), write: of('write'), destroy: of('destroy') };
}

/** Sets what holds in general, and keeps the exceptions. */
export function withLevels(rules: readonly Rule[], levels: Levels): Rule[] {
  const general = LEVELS.filter((access) => levels[access] !== 'allow').map((access) => ({
    access,
    decision: levels[access],
  }));
  return [...general, ...exceptionsOf(rules), ...rules.filter((rule) => !isUsual(rule))];
}

export function areSameLevels(one: Levels, other: Levels): boolean {
  return LEVELS.every((access) => one[access] === other[access]);
}

/** Returns null for levels that fit no preset. */
export function presetOf(levels: Levels): Preset | null {
  return PRESET_NAMES.find((name) => areSameLevels(PRESETS[name], levels)) ?? null;
}

export function isSameTarget(one: Target, other: Target): boolean {
  return one.integration === other.integration && one.tool === other.tool && one.access === other.access;
}

/** Sets the one rule with this target, or removes it. */
export function withRule(rules: readonly Rule[], target: Target, decision: Decision | null): Rule[] {
  return replace(
    rules,
    (rule) => isUsual(rule) && isSameTarget(rule, target),
    decision && { ...target, decision },
  );
}

/** Puts one rule in the place of the first that matches. A list that has this rule already stays the same. */
function replace(rules: readonly Rule[], isMeant: (rule: Rule) => boolean, by: Rule | null): Rule[] {
  const first = rules.findIndex(isMeant);
  const others = rules.filter((rule) => !isMeant(rule));
  return by === null ? others : others.toSpliced(first === -1 ? others.length : first, 0, by);
}

const isOfTool = (rule: Rule, { integration, tool }: Subject): boolean =>
  isUsual(rule) && rule.tool === tool && (rule.integration === undefined || rule.integration === integration);

/** What the rules that name the tool decide, or null without such a rule. */
export function decisionOfTool(rules: readonly Rule[], subject: Subject): Decision | null {
  const own = rules.filter(
    (rule) => isOfTool(rule, subject) && (rule.access === undefined || rule.access === subject.access),
  );
  return own.length === 0 ? null : decide(own, subject);
}

/** Replaces every rule that names the tool. */
export function withTool(rules: readonly Rule[], subject: Subject, decision: Decision | null): Rule[] {
  const { integration, tool } = subject;
  const by = decision === null || tool === null ? null : { integration, tool, decision };
  return replace(rules, (rule) => isOfTool(rule, subject), by);
}
