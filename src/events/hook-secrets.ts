// Chooses the secret of a webhook.
import { base64url } from 'jose';
import type { HookRecipe } from '../kit/hooks.ts';
import type { Random } from '../ports/random.ts';

const BYTES = 32;

export const randomText = (random: Random): string => base64url.encode(random.bytes(BYTES));

/** The one that was given, or a new one, or null where the service makes it. */
export function secretOf(
  random: Random,
  recipe: HookRecipe,
  given: unknown,
): { secret: string | null; isOurs: boolean } {
  if (typeof given === 'string' && given !== '') return { secret: given, isOurs: false };
  if (recipe.secret === 'theirs') return { secret: null, isOurs: false };
  const made =
    recipe.check.kind === 'hmac' && recipe.check.secretForm === 'whsec'
      ? `whsec_${btoa(String.fromCharCode(...random.bytes(BYTES)))}`
      : randomText(random);
  return { secret: made, isOurs: true };
}
