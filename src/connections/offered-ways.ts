// Describes the ways in which a person can connect an integration, with what each of them needs. reference: Ways to connect
import type { ApiKeyField } from '../kit/manifest.ts';
import type { Integration } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import { formFields } from './keys/api-key.ts';
import { fillInstance } from './model/instance.ts';
import { configAt } from './model/config.ts';
import { findProvider, type ProviderNeeds, redirectUriOf } from './oauth/provider.ts';
import type { RegisteredClients } from './oauth/registered-clients.ts';
import type { OfferedWay } from './model/schemas.ts';

export type WaysNeeds = Pick<Ports, 'config' | 'store'> &
  Pick<ProviderNeeds, 'dynamicProviders'> & { registeredClients: RegisteredClients };

/** The usual way comes first. `knownInstance` is the instance of the person's stored connection. */
export async function describeWays(
  deps: Omit<WaysNeeds, 'store'>,
  integration: Integration,
  knownInstance: string | undefined,
): Promise<OfferedWay[]> {
  const { name, auth, instance, token } = integration;
  const instanceUrl = knownInstance ?? instance?.default ?? null;
  switch (auth.type) {
    case 'none':
      return [];
    case 'cookie':
      return [{ kind: 'cookie' }];
    case 'apikey':
      return [{ kind: 'apikey', fields: formFields(integration, auth, knownInstance) }];
    case 'oauth2': {
      const isDynamic = auth.dynamic !== undefined;
      const registered = isDynamic ? null : await deps.registeredClients.find(name);
      // The provider of an import is asked when somebody connects, not when somebody looks.
      const ready = isDynamic || (await findProvider(integration, auth, configAt(instanceUrl), deps)).ok;
      const { registerUrl, registerHelp } = auth;
      const signIn: OfferedWay = {
        kind: 'oauth2',
        ready,
        redirectUri: redirectUriOf(name, deps.config),
        scopes: auth.scopes,
        ...(registerUrl === undefined ? {} : { registerUrl: fillInstance(registerUrl, instanceUrl) }),
        ...(registerHelp === undefined ? {} : { registerHelp }),
        ...(registered === null ? {} : { client: registered.source }),
      };
      if (token === undefined) return [signIn];
      const { url, help, scopes = [] } = token;
      const fields: ApiKeyField[] = formFields(integration, token, knownInstance);
      return [signIn, { kind: 'token', fields, url: fillInstance(url, instanceUrl), help, scopes }];
    }
  }
}
