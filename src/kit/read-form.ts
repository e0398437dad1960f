// Reads request bodies that may have rules, and refuses rules that can never match. reference: Rules
import type { Context } from 'hono';
import type * as z from 'zod';
import { HttpError } from '../http/errors.ts';
import { readText } from '../http/request-body.ts';
import { parseJson } from '../json/json.ts';
import type { Rule } from './actor.ts';
import type { RegisteredTool, Registry } from './registry.ts';
import { describeIssues } from './validation.ts';

/** Holds a full list of rules with the longest names. */
const BODY_BYTES = 256 * 1024;

export async function readForm<T>(c: Context, shape: z.ZodType<T>): Promise<T> {
  const form = shape.safeParse(parseJson(await readText(c, BODY_BYTES)));
  if (!form.success) throw new HttpError(400, { error: describeIssues(form.error) });
  return form.data;
}

/**
 * Throws for a rule whose tool belongs to another integration than the rule names. Unknown names are allowed, because
 * people write rules for what they will add. `only` says which of the known tools count.
 */
export function requireMatchable(
  rules: readonly Rule[],
  registry: Registry,
  only: (registered: RegisteredTool) => boolean = () => true,
): void {
  for (const [index, { tool, integration }] of rules.entries()) {
    if (tool === undefined || integration === undefined) continue;
    const known = registry.tool(tool);
    if (known === null || !only(known) || registry.integration(integration) === null) continue;
    if (known.integration.name !== integration)
      throw new HttpError(400, {
        error: `rules.${index}: the tool ${tool} belongs to ${known.integration.name}, not to ${integration}`,
      });
  }
}

/** Throws for a rule that names groups or limits people: such rules are for everyone, and not for one person or caller. */
export function requirePersonal(rules: readonly Rule[]): void {
  const index = rules.findIndex(({ groups, perMinute }) => (groups ?? perMinute) !== undefined);
  if (index !== -1)
    throw new HttpError(400, {
      error: `rules.${index}: only rules for everyone can have groups or perMinute`,
    });
}
