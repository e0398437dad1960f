// Finds the OAuth client of an integration at an instance. A secret goes only to the instance it was registered for. decision: 050
import type { Config } from '../../config/config.ts';
import type { Integration } from '../../kit/integration.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import { fillInstance } from '../instance.ts';
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
}

export type FoundProvider = { ok: true; provider: Provider } | { ok: false; message: string };

interface Needs {
  config: Pick<Config, 'SERVER_PUBLIC_URL'>;
  registeredClients: FindsClients;
}

/** The address that a provider sends people back to. It is registered there with the client. */
export function redirectUriOf(
  name: string,
  { SERVER_PUBLIC_URL }: Pick<Config, 'SERVER_PUBLIC_URL'>,
): string {
  return `${SERVER_PUBLIC_URL}/api/auth/plugin/${name}/callback`;
}

export async function findProvider(
  integration: Integration,
  block: OAuth2Block,
  instanceUrl: string | null,
  { config, registeredClients }: Needs,
): Promise<FoundProvider> {
  const { name, displayName, instance } = integration;
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
  const tokenUrl = fillInstance(block.tokenUrl, instanceUrl);
  return {
    ok: true,
    provider: {
      block,
      displayName,
      authorizeUrl: fillInstance(block.authorizeUrl, instanceUrl),
      tokenUrl,
      refreshUrl: block.refreshUrl === undefined ? tokenUrl : fillInstance(block.refreshUrl, instanceUrl),
      clientId: client.clientId,
      clientSecret,
      redirectUri: redirectUriOf(name, config),
    },
  };
}

/** False where one provider signs people in for every instance, as Atlassian does: one client then serves them all. */
export function isPerInstance({ authorizeUrl, tokenUrl, refreshUrl = '' }: OAuth2Block): boolean {
  return [authorizeUrl, tokenUrl, refreshUrl].some((url) => url.includes('{instance}'));
}
