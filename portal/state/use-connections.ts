// The person's connections, looked at again: they also come about elsewhere, by an agent's link in another tab, or run out.
import { fetchConnections } from '../api/integrations.ts';
import { usePollOf } from './use-poll.ts';
import { useResource } from './use-resource.ts';

export function useConnections() {
  const connections = useResource('connections', fetchConnections);
  usePollOf(connections);
  return connections;
}
