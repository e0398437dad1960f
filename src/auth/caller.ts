// Who is calling: the credentials of each surface, tried in the order the specification gives.
import type { AccessTokens } from './access-token.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Sessions } from './session.ts';

export interface Caller {
  userId: string;
  via: 'api-key' | 'access-token' | 'session';
}

type Headers = { get(name: string): string | null };
/** A caller; null, a credential that does not hold; undefined, not this kind of credential. */
type Verdict = Caller | null | undefined;
type Credential = (headers: Headers) => Verdict | Promise<Verdict>;
export type Identify = (headers: Headers) => Promise<Caller | null>;

export const API_KEY_HEADER = 'x-service-api-key';

export function createIdentify(verifiers: {
  apiKeys: ApiKeys;
  accessTokens: AccessTokens;
  sessions: Sessions;
}) {
  const { apiKeys, accessTokens, sessions } = verifiers;

  // design: A1, a key that does not verify never falls through to a Bearer
  const apiKey: Credential = async (headers) => {
    const presented = headers.get(API_KEY_HEADER);
    if (presented === null) return undefined;
    const user = await apiKeys.verify(presented);
    return user === null ? null : { userId: user.id, via: 'api-key' };
  };

  const accessToken: Credential = async (headers) => {
    const token = bearerToken(headers);
    const grant = token === null ? null : await accessTokens.verify(token);
    return grant === null ? undefined : { userId: grant.userId, via: 'access-token' };
  };

  const session: Credential = async (headers) => {
    const token = bearerToken(headers);
    const user = token === null ? null : await sessions.verify(token);
    return user === null ? undefined : { userId: user.userId, via: 'session' };
  };

  // spec: Authentication, "Order on /mcp and /rest" and "Order on protected /api/*"
  return { agents: inOrder([apiKey, accessToken, session]), portal: inOrder([apiKey, session]) };
}

function inOrder(credentials: readonly Credential[]): Identify {
  return async function identify(headers) {
    for (const credential of credentials) {
      const verdict = await credential(headers);
      if (verdict !== undefined) return verdict;
    }
    return null;
  };
}

export function bearerToken(headers: Headers): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}
