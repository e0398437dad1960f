// Finds the API key that a request presents: in its own header, or as a Bearer, for clients with one field for a credential.
import { bearerToken } from './bearer-token.ts';

export const API_KEY_HEADER = 'x-service-api-key';
/** The form of a named key, a service key, or a personal one. No token begins or looks like this. */
const KEY = /^(?:agk_|svk_|[0-9a-f]{64}$)/;

type RequestHeaders = { get(name: string): string | null };

export const keyInHeader = (headers: RequestHeaders): string | null => headers.get(API_KEY_HEADER);

export function presentedKey(headers: RequestHeaders): string | null {
  const named = keyInHeader(headers);
  if (named !== null) return named;
  const token = bearerToken(headers.get('authorization'));
  return token !== null && KEY.test(token) ? token : null;
}
