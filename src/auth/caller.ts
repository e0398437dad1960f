// Who is calling: the credentials of each surface, tried in the order the specification gives.
import type { AccessTokens } from './access-token.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Sessions } from './session.ts';

type RequestHeaders = { get(name: string): string | null };
/** A user's id; null, a credential that does not hold; undefined, not this kind of credential. */
type ReadCredential = (headers: RequestHeaders) => Promise<string | null | undefined>;
/** The id of the user who calls. */
export type Identify = (headers: RequestHeaders) => Promise<string | null>;

const API_KEY_HEADER = 'x-service-api-key';

export function createIdentify({
  accessTokens,
  apiKeys,
  sessions,
}: {
  accessTokens: AccessTokens;
  apiKeys: ApiKeys;
  sessions: Sessions;
}) {
  // design: A1, a key that does not verify never falls through to a Bearer
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

  // spec: Authentication, "Order on /mcp and /rest" and "Order on protected /api/*"
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

/** Of what `Authorization` says. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
