// Says what is decided about the tools of one integration, and by which rules. An import may have a thousand tools.
import type { DecidedTool } from '../../api/integrations.ts';
import type { Decision, Rule } from '../../api/policy.ts';
import type { Access } from '../../api/tools.ts';
import { decide, decisionOfTool, isSameTarget, isUsual, type Levels, LEVELS, stricter } from './rule-list.ts';

export interface DecidableTool {
  name: string;
  access: Access;
}

/** `depends`: the tool sends any request, and the method of the request decides. */
export type Outlook = Decision | 'depends';

export interface ToolDecision {
  decision: Outlook;
  by: 'tool' | 'rules' | 'everyone';
  /** The person's own rule for this tool. */
  own: Decision | null;
  /** What holds without that rule. */
  otherwise: Outlook;
  /** What the person has decided about the whole integration. */
  usual: Decision;
  /** What the rules for everyone decide. The person can only be stricter. */
  least: Decision;
  /** What holds after content from outside, where that is stricter. */
  after: NonNullable<DecidedTool['afterOutside']> | null;
  /** What is taken out of results. */
  redact: NonNullable<DecidedTool['redact']>;
}

export type DecideTool = (tool: DecidableTool) => ToolDecision;

/** `decided` is what the gateway answers. It names the rules for everyone where no other rule is stricter. */
export function decideTools(
  integration: string,
  rules: readonly Rule[],
  decided: readonly DecidedTool[],
): DecideTool {
  const here = rules
    .filter(isUsual)
    .filter((rule) => rule.integration === undefined || rule.integration === integration);
  const usual = here.find((rule) => isSameTarget(rule, { integration }))?.decision ?? 'allow';
  const levels = levelsWithoutTools(here, integration);
  const byTool = Map.groupBy(here, ({ tool }) => tool ?? '');
  const answers = new Map(decided.map((tool) => [tool.name, tool]));
  // The gateway also applies the rules for single tools to requests that could do the same.
  const strictestOfTools = here
    .filter(
      ({ tool, integration: home }) =>
        tool !== undefined && (home === integration || tool.startsWith(`${integration}_`)),
    )
    .map(({ decision }) => decision)
    .reduce<Decision>(stricter, 'allow');

  return function decideTool({ name, access }) {
    const own = decisionOfTool(byTool.get(name) ?? [], { integration, tool: name, access });
    const answer = answers.get(name);
    const least = answer?.decidedBy === 'everyone' ? (answer.decision ?? 'allow') : 'allow';
    const isRaw = name === `${integration}_request`;
    const otherwise = isRaw ? spread(levels, strictestOfTools) : levels[access];
    const mine = isRaw && own !== null ? spread(evenly(own), strictestOfTools) : (own ?? otherwise);
    const decision = mine === 'depends' ? mine : stricter(least, mine);
    const after = answer?.afterOutside ?? null;
    const { redact = [] } = answer ?? {};
    return { decision, by: sourceOf(decision, least, own), own, otherwise, usual, least, after, redact };
  };
}

function levelsWithoutTools(rules: readonly Rule[], integration: string): Levels {
  const general = rules.filter(({ tool }) => tool === undefined);
  const of = (access: Access) => decide(general, { integration, tool: null, access });
  return { read: of('read'), write: of('write'), destroy: of('destroy') };
}

const evenly = (decision: Decision): Levels => ({ read: decision, write: decision, destroy: decision });

function spread(levels: Levels, most: Decision): Outlook {
  const strictest = LEVELS.map((access) => levels[access]).reduce(stricter, most);
  return LEVELS.every((access) => levels[access] === strictest) ? strictest : 'depends';
}

function sourceOf(decision: Outlook, least: Decision, own: Decision | null): ToolDecision['by'] {
  if (least !== 'allow' && decision === least) return 'everyone';
  return own === null ? 'rules' : 'tool';
}
