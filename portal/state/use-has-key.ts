// Whether the person has an API key, looked at again: it is also made and deleted in other windows.
import { fetchHasKey } from '../api/keys.ts';
import { usePollOf } from './use-poll.ts';
import { type Resource, useResource } from './use-resource.ts';

export function useHasKey(): Resource<boolean> {
  const hasKey = useResource('has-key', fetchHasKey);
  usePollOf(hasKey);
  return hasKey;
}
