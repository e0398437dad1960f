// Loads whether the person has an API key, and polls it: other windows make and delete the key too.
import { fetchHasKey } from '../api/keys.ts';
import { usePollOf } from './use-poll.ts';
import { type Resource, useResource } from './use-resource.ts';

export function useHasKey(): Resource<boolean> {
  const hasKey = useResource('has-key', fetchHasKey);
  usePollOf(hasKey);
  return hasKey;
}
