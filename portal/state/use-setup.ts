// Loads how the sign-in with an integration is set up on this gateway, and what this person may see of it.
import { fetchWays, type SignInWay } from '../api/integrations.ts';
import { fetchProviderClient, type SeenClient } from '../api/provider-clients.ts';
import { type Resource, useResource } from './use-resource.ts';

export interface SignInSetup {
  way: SignInWay;
  seen: SeenClient;
}

/** The setup is null for an integration that nobody signs in to. An empty name loads nothing. */
export function useSetup(name: string): Resource<SignInSetup | null> {
  return useResource(`setup ${name}`, () => (name === '' ? Promise.resolve(null) : fetchSetup(name)));
}

async function fetchSetup(name: string): Promise<SignInSetup | null> {
  const [ways, seen] = await Promise.all([fetchWays(name), fetchProviderClient(name)]);
  const way = ways.find(({ kind }) => kind === 'oauth2');
  return way?.kind === 'oauth2' ? { way, seen } : null;
}
