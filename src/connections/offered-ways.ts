// Describes the ways in which a person can connect an integration, with what each of them needs. reference: Ways to connect
import type { ApiKeyField } from '../kit/manifest.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import { formFields } from './keys/api-key.ts';
import { fillInstance } from './model/instance.ts';
import { configAt } from './model/config.ts';
import { familyRedirectUri, findProvider, type ProviderNeeds, redirectUriOf } from './oauth/provider.ts';
import { familyOf, membersOf, type RegisteredClients } from './oauth/registered-clients.ts';
import type { OfferedWay } from './model/schemas.ts';

export type WaysNeeds = Pick<Ports, 'config' | 'store'> &
  Pick<ProviderNeeds, 'dynamicProviders'> & { registeredClients: RegisteredClients; registry: Registry };

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
        ...(await describeFamily(deps, integration)),
      };
      if (token === undefined) return [signIn];
      const { url, help, scopes = [] } = token;
      const fields: ApiKeyField[] = formFields(integration, token, knownInstance);
      return [signIn, { kind: 'token', fields, url: fillInstance(url, instanceUrl), help, scopes }];
    }
  }
}

async function describeFamily(
  { config, registeredClients, registry }: Omit<WaysNeeds, 'store'>,
  integration: Integration,
): Promise<{ family?: NonNullable<Extract<OfferedWay, { kind: 'oauth2' }>['family']> }> {
  const family = familyOf(integration);
  if (family === undefined) return {};
  const members = membersOf(registry, family.name);
  const scopes = members.flatMap(({ auth }) => (auth.type === 'oauth2' ? auth.scopes : []));
  const isSet = (await registeredClients.findOfFamily(family)) !== null;
  return {
    family: {
      ...family,
      redirectUri: familyRedirectUri(family, config),
      scopes: [...new Set(scopes)],
      integrations: members.map(({ name, displayName }) => ({ name, displayName })),
      isSet,
    },
  };
}
