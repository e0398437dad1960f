// Finds the integration that a request of the portal names, or answers 404.
import type { Registry } from '../kit/registry.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { Integration } from '../kit/integration.ts';
import type { Auth } from '../kit/manifest.ts';
import { type KeyForm, keyFormOf } from './ways.ts';

export function requireIntegration(registry: Registry, name: string): Integration {
  const integration = registry.integration(name);
  if (integration === null) throw new HttpError(404, { error: ErrorText.INTEGRATION_NOT_FOUND });
  return integration;
}

/** Answers 404 also for an integration that is connected in another way. */
export function requireAuth<T extends Auth['type']>(registry: Registry, name: string, type: T) {
  const integration = requireIntegration(registry, name);
  const { auth } = integration;
  if (!isOfType(auth, type))
    throw new HttpError(404, { error: `${integration.displayName} is not connected this way` });
  return { integration, auth };
}

/** Answers 404 also for an integration that takes neither an API key nor a token. */
export function requireKeyForm(registry: Registry, name: string): { integration: Integration } & KeyForm {
  const integration = requireIntegration(registry, name);
  const form = keyFormOf(integration);
  if (form === null)
    throw new HttpError(404, { error: `${integration.displayName} is not connected this way` });
  return { integration, ...form };
}

function isOfType<T extends Auth['type']>(auth: Auth, type: T): auth is Extract<Auth, { type: T }> {
  return auth.type === type;
}
