// Finds the OAuth client of an integration at an instance. A secret goes only to the instance it was registered for. decision: 027
import type { Config } from '../../config/config.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Family, OAuth2Block } from '../../kit/manifest.ts';
import { type ConnectionConfig, instanceIn } from '../model/config.ts';
import { fillInstance } from '../model/instance.ts';
import type { FindsClients } from './registered-clients.ts';

export interface Provider {
  block: OAuth2Block;
  displayName: string;
  authorizeUrl: string;
  tokenUrl: string;
  refreshUrl: string;
  clientId: string;
  clientSecret: string | null;
  redirectUri: string;
  /** Present when the provider was found when somebody connected. */
  found?: FoundFacts;
}

/** What a provider says of itself, and who the gateway is there. */
export interface FoundFacts {
  issuer: string;
  /** Each answer of the provider has to name it. RFC 9207 §2.3 */
  sendsIssuer: boolean;
  /** The server that tokens are asked for. RFC 8707 */
  resource: string | null;
  /** RFC 7009 */
  revokeUrl: string | null;
  client: 'given' | 'document' | 'registered';
}

export type FoundProvider = { ok: true; provider: Provider } | { ok: false; message: string };

/** Finds the providers of imports. The imports implement it. decision: 045 */
export interface DynamicProviders {
  /**
   * Asks the server of the import who its provider is, and chooses a client there. The returned config travels in the flow
   * and then in the connection. `previous` is the config of the person's connection, empty without one.
   */
  discover(
    integration: Integration,
    block: OAuth2Block,
    previous: ConnectionConfig,
  ): Promise<{ ok: true; config: ConnectionConfig } | { ok: false; message: string }>;
  /** The provider that a config names. Nobody is asked again. */
  read(integration: Integration, block: OAuth2Block, config: ConnectionConfig): Promise<FoundProvider>;
  /** Told when a provider does not know our registered client any more. The next person who connects registers a new one. */
  forget(integration: Integration, provider: Provider): Promise<void>;
}

export interface ProviderNeeds {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'MICROSOFT_TENANT'>;
  dynamicProviders: DynamicProviders;
  registeredClients: FindsClients;
}

/** The address that a provider sends people back to. It is registered there with the client. */
export function redirectUriOf(
  name: string,
  { SERVER_PUBLIC_URL }: Pick<Config, 'SERVER_PUBLIC_URL'>,
): string {
  return `${SERVER_PUBLIC_URL}/api/auth/plugin/${name}/callback`;
}

/** The address that a provider sends people of all integrations of a family back to. decision: 065 */
export const familyRedirectUri = (
  { name }: Family,
  { SERVER_PUBLIC_URL }: Pick<Config, 'SERVER_PUBLIC_URL'>,
): string => `${SERVER_PUBLIC_URL}/api/auth/family/${name}/callback`;

/** The address that providers of imports send people back to when each of their answers names them. decision: 045 */
export const sharedRedirectUri = ({ SERVER_PUBLIC_URL }: Pick<Config, 'SERVER_PUBLIC_URL'>): string =>
  `${SERVER_PUBLIC_URL}/api/auth/imports/callback`;

export async function findProvider(
  integration: Integration,
  block: OAuth2Block,
  settings: ConnectionConfig,
  { config, dynamicProviders, registeredClients }: ProviderNeeds,
): Promise<FoundProvider> {
  // An import never gets a client that the operator has set for an integration of the same name.
  if (block.dynamic !== undefined) return dynamicProviders.read(integration, block, settings);
  const { name, displayName, instance } = integration;
  const instanceUrl = instanceIn(settings, integration);
  const variable = name.toUpperCase();
  const isDefault = instanceUrl === null || instanceUrl === instance?.default || !isPerInstance(block);
  const place = isDefault ? displayName : `${displayName} at ${instanceUrl}`;
  const refuse = (missing: string): FoundProvider => ({
    ok: false,
    message: `${place} is not set up on this gateway: the operator has to ${missing}`,
  });
  const found = await registeredClients.find(name);
  if (found?.client === null)
    return refuse(
      'enter its OAuth client in the portal again, because the stored one can no longer be opened',
    );
  const client = isDefault ? found?.client : found?.client.instances[new URL(instanceUrl).origin];
  if (client === undefined)
    return refuse(
      isDefault
        ? `set ${variable}_CLIENT_ID and ${variable}_CLIENT_SECRET, or enter an OAuth client in the portal`
        : `add that address to ${found?.source === 'portal' ? 'its OAuth client in the portal' : `${variable}_INSTANCES`}`,
    );
  const clientSecret = client.clientSecret ?? null;
  if (clientSecret === null && block.clientAuth !== 'none') return refuse(`set ${variable}_CLIENT_SECRET`);
  const fill = (address: string): string => fillTenant(block, fillInstance(address, instanceUrl), config);
  const tokenUrl = fill(block.tokenUrl);
  return {
    ok: true,
    provider: {
      block,
      displayName,
      authorizeUrl: fill(block.authorizeUrl),
      tokenUrl,
      refreshUrl: block.refreshUrl === undefined ? tokenUrl : fill(block.refreshUrl),
      clientId: client.clientId,
      clientSecret,
      redirectUri:
        found?.family === undefined ? redirectUriOf(name, config) : familyRedirectUri(found.family, config),
    },
  };
}

/** Replaces `{tenant}` by the operator's setting, so that a person cannot choose where the client secret goes. */
function fillTenant({ tenant }: OAuth2Block, address: string, config: ProviderNeeds['config']): string {
  return tenant === undefined ? address : address.replaceAll('{tenant}', config[tenant]);
}

/** False where one provider signs people in for every instance, as Atlassian does: one client then serves them all. */
export function isPerInstance({ authorizeUrl, tokenUrl, refreshUrl = '' }: OAuth2Block): boolean {
  return [authorizeUrl, tokenUrl, refreshUrl].some((url) => url.includes('{instance}'));
}
