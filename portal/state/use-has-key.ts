// Whether the person has an API key, looked at again: it is also made and deleted in other windows.
import { fetchHasKey } from '../api/keys.ts';
import { usePoll } from './use-poll.ts';
import { type Resource, useResource } from './use-resource.ts';

const EVERY_MS = 30_000;

export function useHasKey(): Resource<boolean> {
  const hasKey = useResource('has-key', fetchHasKey);
  usePoll(hasKey.data !== undefined, EVERY_MS, hasKey.look);
  return hasKey;
}
