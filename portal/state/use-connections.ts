// The person's connections, looked at again: they also come about elsewhere, by an agent's link in another tab, or run out.
import { fetchConnections } from '../api/integrations.ts';
import { usePoll } from './use-poll.ts';
import { useResource } from './use-resource.ts';

const EVERY_MS = 30_000;

export function useConnections() {
  const connections = useResource('connections', fetchConnections);
  usePoll(connections.data !== undefined, EVERY_MS, connections.look);
  return connections;
}
