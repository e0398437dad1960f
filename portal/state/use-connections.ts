// Loads the person's connections and polls them: they also change in other tabs, through an agent's link, or expire.
import { fetchConnections } from '../api/integrations.ts';
import { usePollOf } from './use-poll.ts';
import { useResource } from './use-resource.ts';

export function useConnections() {
  const connections = useResource('connections', fetchConnections);
  usePollOf(connections);
  return connections;
}
