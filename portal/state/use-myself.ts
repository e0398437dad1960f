// Loads the signed-in person's role and limits.
import { fetchMyself, type Myself } from '../api/people.ts';
import { type Resource, useResource } from './use-resource.ts';

export const MYSELF = 'myself';

export function useMyself(): Resource<Myself> {
  return useResource(MYSELF, fetchMyself);
}

/** Returns false until the role is known. */
export function useIsAdministrator(): boolean {
  const { data } = useMyself();
  return data !== undefined && data.role !== 'member';
}
