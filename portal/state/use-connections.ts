// Loads the person's connections and polls them: they also change in other tabs, through an agent's link, or expire.
import { type Connection, fetchConnections } from '../api/integrations.ts';
import { usePollOf } from './use-poll.ts';
import { useResource } from './use-resource.ts';

export function useConnections() {
  const connections = useResource('connections', fetchConnections);
  usePollOf(connections);
  return connections;
}

/** The names of the integrations that are connected. Empty until the connections are loaded. */
export const connectedNames = (connections: readonly Connection[] = []): Set<string> =>
  new Set(connections.filter((each) => each.connected).map(({ name }) => name));
