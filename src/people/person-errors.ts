// Answers what cannot be done with a person. reference: Administration of people
import type { Context } from 'hono';
import type { PortalEnv } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import { isId } from '../http/id.ts';
import { PersonRefused, type RefusalReason } from './person-refused.ts';

export const unknownPerson = (): HttpError => new HttpError(404, { error: 'There is no such person.' });

/** Reads the id of the path. */
export function readId(c: Context<PortalEnv, '/:id'>): string {
  const id = c.req.param('id');
  if (!isId(id)) throw unknownPerson();
  return id;
}

const STATUS = { missing: 404, 'not-allowed': 403, conflict: 409 } as const satisfies Record<
  RefusalReason,
  number
>;

/** Turns a refusal into its status and sentence. */
export async function orHttpError<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof PersonRefused)) throw error;
    throw new HttpError(STATUS[error.reason], { error: error.message });
  }
}
