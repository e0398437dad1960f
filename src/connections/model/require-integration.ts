// Finds the integration that a request of the portal names, or answers 404.
import type { Registries } from '../../kit/registries.ts';
import { ErrorText } from '../../http/error-codes.ts';
import { HttpError } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Auth } from '../../kit/manifest.ts';
import { type KeyForm, keyFormOf } from './ways.ts';

export async function requireIntegration(
  registries: Pick<Registries, 'integration'>,
  userId: string,
  name: string,
): Promise<Integration> {
  return requireFound(await registries.integration(userId, name));
}

export function requireFound(integration: Integration | null): Integration {
  if (integration === null) throw new HttpError(404, { error: ErrorText.INTEGRATION_NOT_FOUND });
  return integration;
}

/** Answers 404 also for an integration that is connected in another way. */
export function requireAuth<T extends Auth['type']>(found: Integration | null, type: T) {
  const integration = requireFound(found);
  const { auth } = integration;
  if (!isOfType(auth, type))
    throw new HttpError(404, { error: `${integration.displayName} is not connected this way` });
  return { integration, auth };
}

/** Answers 404 also for an integration that takes neither an API key nor a token. */
export function requireKeyForm(integration: Integration): { integration: Integration } & KeyForm {
  const form = keyFormOf(integration);
  if (form === null)
    throw new HttpError(404, { error: `${integration.displayName} is not connected this way` });
  return { integration, ...form };
}

function isOfType<T extends Auth['type']>(auth: Auth, type: T): auth is Extract<Auth, { type: T }> {
  return auth.type === type;
}
