// Reads the limits of a key or a client that end at a time, and shows them again. reference: Named keys; Agents
import * as z from 'zod';
import { editDistance } from '../../config/edit-distance.ts';
import { HttpError } from '../../http/errors.ts';
import type { Limits } from '../../kit/actor.ts';
import { LimitsShape } from '../../kit/limits.ts';
import type { Registry } from '../../kit/registry.ts';
import { requireMatchable, requirePersonal } from '../../kit/read-form.ts';

// Milliseconds instead of seconds are larger than this.
const MAX_TIME = 99_999_999_999;

/** What a key or a client may do at most. A member that is absent limits nothing. */
export const EndingLimits = LimitsShape.extend({
  expiresAt: z
    .int()
    .max(MAX_TIME, { error: 'must be in Unix seconds' })
    .optional()
    .describe('Unix seconds. Absent never ends'),
});

/** The same as an answer shows it: what is stored is not to be changed. */
export const shownLimits = () =>
  EndingLimits.extend({
    rules: LimitsShape.shape.rules.unwrap().readonly().optional(),
    integrations: LimitsShape.shape.integrations.unwrap().readonly().optional(),
  });

/** Throws 400 for an end that has passed, and for a rule that can never match. */
export function requireEffective(
  { rules = [] }: Limits,
  expiresAt: number | null,
  { now, registry }: { now: number; registry: Registry },
): void {
  if (expiresAt !== null && expiresAt <= now)
    throw new HttpError(400, { error: 'expiresAt: must be in the future' });
  requirePersonal(rules);
  requireMatchable(rules, registry);
}

/** More typing errors than these make another name. */
const MAX_SLIPS = 2;

/** Throws 400 for an integration that the person does not have: a key that names it would reach nothing there. */
export function requireKnown({ integrations = [] }: Limits, registry: Registry): void {
  const unknown = integrations.find((name) => registry.integration(name) === null);
  if (unknown === undefined) return;
  const [nearest] = registry.integrations
    .map(({ name }) => ({ name, slips: editDistance(unknown, name) }))
    .filter(({ name, slips }) => slips <= MAX_SLIPS && slips < name.length / 2)
    .toSorted((one, other) => one.slips - other.slips);
  const hint =
    nearest === undefined
      ? 'list_integrations has all names'
      : `Did you mean ${JSON.stringify(nearest.name)}?`;
  throw new HttpError(400, {
    error: `integrations: there is no integration ${JSON.stringify(unknown)}. ${hint}`,
  });
}
