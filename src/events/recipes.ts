// Finds the recipe of a subscription to webhooks.
import type { HookRecipe } from '../kit/hooks.ts';
import type { Registry } from '../kit/registry.ts';
import { GENERIC, genericHooks } from './generic-hooks.ts';

export function recipeOf(
  registry: Pick<Registry, 'integration'>,
  { integration, event }: { integration: string; event: string },
): HookRecipe | null {
  if (integration === GENERIC)
    return Object.hasOwn(genericHooks, event) ? (genericHooks[event] ?? null) : null;
  return registry.integration(integration)?.hooks ?? null;
}
