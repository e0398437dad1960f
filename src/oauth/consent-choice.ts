// Reads what a person has chosen on the consent page: what the client may do, with what, and until when. reference: Consent page
import * as z from 'zod';
import { ceilingOf } from '../auth/scopes.ts';
import { LIMITED_INTEGRATIONS } from '../kit/shape-limits.ts';
import { type Access, ACCESS_LEVELS, isWithin } from '../kit/access.ts';

export const DAY_SECONDS = 86_400;
/** The times that the page offers, in days. */
export const DAYS = [1, 7, 30, 90] as const;

/** A member that is absent narrows nothing. */
export const ChoiceShape = z.object({
  access: z.enum(ACCESS_LEVELS).exactOptional(),
  integrations: z.array(z.string()).min(1).exactOptional(),
  days: z.int().exactOptional(),
});
export type ConsentChoice = z.infer<typeof ChoiceShape>;

/** The names of the form's fields. */
export const FIELD = { access: 'access', integrations: 'integration', days: 'days' } as const;

/** The levels that a scope leaves to choose from, the widest first. */
export function levelsWithin(scope: string): Access[] {
  const ceiling = ceilingOf(scope) ?? 'destroy';
  return ACCESS_LEVELS.filter((access) => isWithin(access, ceiling)).toReversed();
}

interface Offered {
  scope: string;
  /** The names of the integrations on the page. */
  integrations: ReadonlySet<string>;
}

/** Returns `not-offered` when the form has something that the page does not have. */
export function readChoice(
  form: URLSearchParams,
  { scope, integrations }: Offered,
): ConsentChoice | 'not-offered' | 'too-many' {
  const levels = levelsWithin(scope);
  const [access, ...moreAccess] = form.getAll(FIELD.access);
  const [days = '', ...moreDays] = form.getAll(FIELD.days);
  if (moreAccess.length > 0 || moreDays.length > 0) return 'not-offered';
  const level = access === undefined ? levels[0] : levels.find((each) => each === access);
  const length = DAYS.find((each) => String(each) === days);
  const chosen = [...new Set(form.getAll(FIELD.integrations))];
  if (level === undefined || (days !== '' && length === undefined)) return 'not-offered';
  if (chosen.some((name) => !integrations.has(name))) return 'not-offered';
  if (chosen.length > LIMITED_INTEGRATIONS) return 'too-many';
  return {
    ...(level === levels[0] ? {} : { access: level }),
    ...(chosen.length === 0 ? {} : { integrations: chosen }),
    ...(length === undefined ? {} : { days: length }),
  };
}
