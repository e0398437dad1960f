// Reads the limits of a key or a client that end at a time, and shows them again. reference: Named keys; Agents
import * as z from 'zod';
import { HttpError } from '../../http/errors.ts';
import type { Limits } from '../../kit/actor.ts';
import { LimitsShape } from '../../kit/limits.ts';
import type { Registry } from '../../kit/registry.ts';
import { requireMatchable } from '../../kit/read-form.ts';

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
  requireMatchable(rules, registry);
}
