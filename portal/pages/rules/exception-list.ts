// Names the rules for single integrations and tools, one row for each target.
import type { Integration } from '../../api/integrations.ts';
import type { Decision, Rule } from '../../api/policy.ts';
import type { Tool } from '../../api/tools.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { exceptionsOf, stricter, type Target } from './rule-list.ts';

const words = rulesTexts.exceptions;

export interface ShownException {
  key: string;
  target: Target;
  decision: Decision;
  /** Names the integration or the tool. */
  subject: string;
  /** Says which tools of the integration, or whose tool it is. */
  detail: string;
  /** The page of the integration. Absent when the gateway does not have it any more. */
  href?: string;
}

export function showExceptions(
  rules: readonly Rule[],
  integrations: readonly Pick<Integration, 'name' | 'displayName'>[],
  tools: readonly Pick<Tool, 'name' | 'integration'>[],
): ShownException[] {
  const nameOf = new Map(integrations.map(({ name, displayName }) => [name, displayName]));
  const homeOf = new Map(tools.map(({ name, integration }) => [name, integration]));
  const byTarget = new Map<string, ShownException>();
  for (const { decision, ...target } of exceptionsOf(rules)) {
    const key = keyOf(target);
    const known = byTarget.get(key);
    byTarget.set(key, {
      key,
      target,
      // The strictest of several rules with one target decides.
      decision: known === undefined ? decision : stricter(known.decision, decision),
      ...describeTarget(target, nameOf, homeOf),
    });
  }
  return [...byTarget.values()].toSorted(
    (one, other) => one.subject.localeCompare(other.subject) || one.detail.localeCompare(other.detail),
  );
}

function keyOf({ integration, tool, access }: Target): string {
  return [integration, tool, access].join(' ');
}

export function describeTarget(
  { integration, tool, access }: Target,
  nameOf: ReadonlyMap<string, string>,
  homeOf: ReadonlyMap<string, string>,
): Pick<ShownException, 'subject' | 'detail' | 'href'> {
  const home = tool === undefined ? integration : homeOf.get(tool);
  const displayName = home === undefined ? undefined : nameOf.get(home);
  const kind = access === undefined ? undefined : words.kinds[access];
  // A rule that names another integration than the tool's applies to nothing.
  const isGone = displayName === undefined || (integration !== undefined && integration !== home);
  const whole = tool === undefined ? (kind ?? words.all) : kind;
  const parts = [tool === undefined ? undefined : displayName, whole, isGone ? words.missing : undefined];
  return {
    subject: tool ?? displayName ?? integration ?? '',
    detail: parts.filter((part) => part !== undefined).join(' · '),
    ...(isGone ? {} : { href: `/integrations/${encodeURIComponent(home ?? '')}` }),
  };
}
