// Reads whether a request to disconnect also ends the grant at the provider. A spelling mistake must not leave it alive.
import type { Context } from 'hono';
import { HttpError } from '../http/errors.ts';

export function wantsRevoke(c: Context): boolean {
  const revoke = c.req.query('revoke');
  if (revoke === undefined || revoke === 'true' || revoke === 'false') return revoke === 'true';
  throw new HttpError(400, { error: 'revoke must be true or false' });
}
