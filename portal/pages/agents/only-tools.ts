// Writes a choice of tools as rules, and reads the choice from rules. reference: Rules
import type { Rule } from '../../api/policy.ts';

/** `kept` leaves the stored rules as they are. */
export type ToolChoice = 'all' | 'some' | 'kept';

/** The rule that blocks everything also blocks `/c`. A rule that names a tool wins over it. */
export function allowOnly(tools: readonly string[]): Rule[] {
  return [{ decision: 'block' }, ...tools.map((tool): Rule => ({ tool, decision: 'allow' }))];
}

/** Returns the tools of rules that allow these and block the rest. Undefined for any other rules. */
export function readOnlyTools(rules: readonly Rule[]): string[] | undefined {
  const tools = new Set<string>();
  let blocksTheRest = false;
  for (const { tool, integration, access, after, redact, decision } of rules) {
    if (after !== undefined || redact !== undefined) return undefined;
    if (integration !== undefined || access !== undefined) return undefined;
    if (decision !== (tool === undefined ? 'block' : 'allow')) return undefined;
    if (tool === undefined) blocksTheRest = true;
    else tools.add(tool);
  }
  return blocksTheRest && tools.size > 0 ? [...tools] : undefined;
}

export function toolChoiceOf(rules: readonly Rule[]): ToolChoice {
  if (rules.length === 0) return 'all';
  return readOnlyTools(rules) === undefined ? 'kept' : 'some';
}
