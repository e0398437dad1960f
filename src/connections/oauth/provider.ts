// Finds the OAuth client of an integration at an instance. A secret goes only to the instance it was registered for. decision: 050
import type { Config } from '../../config/config.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Registry } from '../../kit/registry.ts';
import type { Integration } from '../../kit/integration.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import { fillInstance } from '../instance.ts';

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

type Needs = Pick<Config, 'clients' | 'SERVER_PUBLIC_URL'>;

/** Registered clients without an integration of that name: usually the name is misspelt. */
export function strayClients({ config, registry }: Pick<Ports, 'config'> & { registry: Registry }): string[] {
  return Object.keys(config.clients).filter((name) => registry.integration(name)?.auth.type !== 'oauth2');
}

export function findProvider(
  integration: Integration,
  block: OAuth2Block,
  instanceUrl: string | null,
  config: Needs,
): FoundProvider {
  const { name, displayName, instance } = integration;
  const variable = name.toUpperCase();
  const registered = Object.hasOwn(config.clients, name) ? config.clients[name] : undefined;
  const isDefault = instanceUrl === null || instanceUrl === instance?.default || !isPerInstance(block);
  const client = isDefault ? registered : registered?.instances[new URL(instanceUrl).origin];
  if (client === undefined) {
    const message = isDefault
      ? `${displayName} is not set up on this gateway: the operator has to set ${variable}_CLIENT_ID and ${variable}_CLIENT_SECRET`
      : `${displayName} at ${instanceUrl} is not set up on this gateway: the operator has to add that address to ${variable}_INSTANCES`;
    return { ok: false, message };
  }
  const clientSecret = client.clientSecret ?? null;
  if (clientSecret === null && block.clientAuth !== 'none') {
    return {
      ok: false,
      message: `${displayName} is not set up on this gateway: the operator has to set ${variable}_CLIENT_SECRET`,
    };
  }
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
      redirectUri: `${config.SERVER_PUBLIC_URL}/api/auth/plugin/${name}/callback`,
    },
  };
}

/** False where one provider signs people in for every instance, as Atlassian does: one client then serves them all. */
function isPerInstance({ authorizeUrl, tokenUrl, refreshUrl = '' }: OAuth2Block): boolean {
  return [authorizeUrl, tokenUrl, refreshUrl].some((url) => url.includes('{instance}'));
}
