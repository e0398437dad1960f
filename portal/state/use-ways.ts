// Loads the ways in which the person can connect an integration.
import { fetchWays, type OfferedWay } from '../api/integrations.ts';
import { type Resource, useResource } from './use-resource.ts';

export function useWays(name: string): Resource<readonly OfferedWay[]> {
  return useResource(`ways ${name}`, () => fetchWays(name));
}
