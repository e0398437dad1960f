// Identifies the caller: tries the credentials of a surface in the order of the specification.
import type { AccessTokens } from './access-token.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Sessions } from './session.ts';

type RequestHeaders = { get(name: string): string | null };
/** Returns a user's id, null for an invalid credential, or undefined when there is no credential of this kind. */
type ReadCredential = (headers: RequestHeaders) => Promise<string | null | undefined>;
/** Returns the id of the calling user, or null. */
export type Identify = (headers: RequestHeaders) => Promise<string | null>;

export const API_KEY_HEADER = 'x-service-api-key';

export function createIdentify({
  accessTokens,
  apiKeys,
  sessions,
}: {
  accessTokens: AccessTokens;
  apiKeys: ApiKeys;
  sessions: Sessions;
}) {
  // An invalid key never falls through to a Bearer token. decision: 037
  const apiKey: ReadCredential = async (headers) => {
    const presented = headers.get(API_KEY_HEADER);
    if (presented === null) return undefined;
    return (await apiKeys.verify(presented))?.id ?? null;
  };

  const accessToken: ReadCredential = async (headers) => {
    const token = bearerToken(headers.get('authorization'));
    return token === null ? undefined : (await accessTokens.verify(token))?.userId;
  };

  const session: ReadCredential = async (headers) => {
    const token = bearerToken(headers.get('authorization'));
    return token === null ? undefined : (await sessions.verify(token))?.userId;
  };

  // The order of credentials on each surface. reference: Authentication
  return { machine: inOrder([apiKey, accessToken, session]), portal: inOrder([apiKey, session]) };
}

function inOrder(credentials: readonly ReadCredential[]): Identify {
  return async function identify(headers) {
    for (const credential of credentials) {
      const verdict = await credential(headers);
      if (verdict !== undefined) return verdict;
    }
    return null;
  };
}

/** Reads the token out of an `Authorization` header. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
