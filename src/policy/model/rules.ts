// Finds what a list of rules decides about a call: the most specific rule, and the strictest of equals. reference: Rules
import type { Access } from '../../kit/access.ts';
import type { Decision, Redaction, Rule } from '../../kit/actor.ts';

/** What a call would do. */
export interface Subject {
  integration: string;
  /** The full name of the tool. Null for a raw request. */
  tool: string | null;
  access: Access;
  /** Set for a tool that only pages call: the tools that show these pages. */
  shownBy?: readonly string[];
}

export interface RuleList {
  decide: (subject: Subject) => Decision;
  /** The rules that name a tool, by the name. */
  byTool: ReadonlyMap<string, readonly Rule[]>;
}

/** A list of rules by what they are for. Null where no rule is for it. */
export interface CompiledRules extends RuleList {
  /** Holds for calls that follow content from outside. It decides beside the other rules, and the stricter decision wins. */
  afterOutside: RuleList | null;
  /** The calls that a person may begin in a minute. */
  perMinute?: number | undefined;
  /** What is taken out of the results of a call. */
  redactions: ((subject: Subject) => readonly Redaction[]) | null;
}

const STRICTNESS = { allow: 0, ask: 1, block: 2 } as const satisfies Record<Decision, number>;

export const stricter = (one: Decision, other: Decision): Decision =>
  STRICTNESS[one] >= STRICTNESS[other] ? one : other;

/** Tool over integration and access, over integration, over access, over nothing. Of two alike, the one with groups. */
const specificity = (rule: Rule): number => 2 * reachOf(rule) + (rule.groups === undefined ? 0 : 1);

function reachOf({ tool, integration, access }: Rule): number {
  if (tool !== undefined) return 4;
  if (integration !== undefined) return access === undefined ? 2 : 3;
  return access === undefined ? 0 : 1;
}

function matches(rule: Rule, subject: Subject): boolean {
  return (
    (rule.tool === undefined || rule.tool === subject.tool) &&
    (rule.integration === undefined || rule.integration === subject.integration) &&
    (rule.access === undefined || rule.access === subject.access)
  );
}

/**
 * Whether a rule holds for somebody in these groups. While nobody has told the groups of a person, a rule that could take
 * something away holds, and one that allows does not.
 */
export function holdsFor(
  { groups, decision, redact, perMinute }: Rule,
  own: readonly string[] | null,
): boolean {
  if (groups === undefined) return true;
  if (own === null) return decision !== 'allow' || (redact ?? perMinute) !== undefined;
  return groups.some((name) => own.includes(name));
}

export function compileRules(rules: readonly Rule[]): CompiledRules {
  const deciding = rules.filter(({ redact, perMinute }) => (redact ?? perMinute) === undefined);
  const after = deciding.filter((rule) => rule.after !== undefined);
  const redacting = rules.filter(({ redact }) => redact !== undefined);
  const rates = rules.flatMap(({ perMinute }) => perMinute ?? []);
  return {
    perMinute: rates.length === 0 ? undefined : Math.min(...rates),
    ...compileDecisions(deciding.filter((rule) => rule.after === undefined)),
    afterOutside: after.length === 0 ? null : compileDecisions(after),
    redactions:
      redacting.length === 0
        ? null
        : (subject) => redacting.flatMap((rule) => (matches(rule, subject) ? (rule.redact ?? []) : [])),
  };
}

/** A decision looks only at the rules that name the tool or the integration, and at the few that name neither. */
function compileDecisions(rules: readonly Rule[]): RuleList {
  const byTool = new Map<string, Rule[]>();
  const byIntegration = new Map<string | undefined, Rule[]>();
  for (const rule of rules) {
    if (rule.tool === undefined) append(byIntegration, rule.integration, rule);
    else append(byTool, rule.tool, rule);
  }

  return {
    byTool,
    // Runs for each tool of a list, so it makes no lists of its own.
    decide(subject) {
      let decision: Decision = 'allow';
      let most = -1;
      const groups = [
        subject.tool === null ? undefined : byTool.get(subject.tool),
        byIntegration.get(subject.integration),
        byIntegration.get(undefined),
      ];
      for (const group of groups)
        for (const rule of group ?? []) {
          const weight = specificity(rule);
          if (weight < most || !matches(rule, subject)) continue;
          decision = weight === most ? stricter(decision, rule.decision) : rule.decision;
          most = weight;
        }
      return decision;
    },
  };
}

function append<K>(groups: Map<K, Rule[]>, key: K, rule: Rule): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [rule]);
  else group.push(rule);
}
