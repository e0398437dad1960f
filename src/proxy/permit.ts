// Whether a call through the proxy may go, and where to: the specification's checks in its order. spec: Errors, Curl proxy
import { bearerToken } from '../auth/caller.ts';
import type { CurlGrant, CurlTokens } from '../auth/curl-token.ts';
import { howToConnect } from '../connections/connected.ts';
import { hasLiveCookie } from '../connections/cookies/cookies.ts';
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import type { Registry } from '../kit/registry.ts';
import type { TokenSource } from '../connections/oauth/tokens.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Integration } from '../kit/integration.ts';
import type { Connection } from '../ports/records.ts';
import { isSafeTail, type ProxyPath } from './path.ts';
import { createWays, type Header, type Way } from '../connections/calls/route.ts';

export interface ProxyRequest {
  method: string;
  path: ProxyPath;
  authorization: string | undefined;
}

export interface Destination {
  /** As the integration declares it; `origin` is where that is really called. */
  declared: URL;
  origin: string;
  /** The request target, byte for byte what was asked for behind the base. */
  target: string;
  addresses: readonly [string, ...string[]];
  /** To be set over whatever the caller sent under these names, which are in lower case. */
  headers: readonly Header[];
  /** What the API is asked with where the caller has no word on it. */
  defaults: readonly Header[];
}

export interface Permitted {
  kind: 'permitted';
  /** Whether the session is held to certain methods. */
  heldToMethods: boolean;
  userId: string;
  integration: Integration;
  connection: Connection;
  secret: string;
  destination: Destination;
}

export interface Refused {
  kind: 'refused';
  status: 400 | 401 | 403 | 409 | 502;
  body: { error: string; [detail: string]: unknown };
}

export interface Permits {
  permit(request: ProxyRequest): Promise<Permitted | Refused>;
  /** The same call with a token that is newer than the one the upstream turned down; null when there is none. */
  again(permitted: Permitted, request: ProxyRequest): Promise<Permitted | null>;
}

type Needs = Pick<Ports, 'clock' | 'config'> & {
  curlTokens: CurlTokens;
  egress: Egress;
  registry: Registry;
  tokens: TokenSource;
};

const ENDS_A_SEGMENT = new Set(['', '/', '?']);

export function createPermits({ clock, config, curlTokens, egress, registry, tokens }: Needs): Permits {
  const ways = createWays(clock);

  async function permit(request: ProxyRequest): Promise<Permitted | Refused> {
    const { method, path, authorization } = request;
    const token = bearerToken(authorization);
    if (token === null) return refuse(401, 'Bearer curl-session token required');
    const grant = await curlTokens.verify(token);
    if (grant === null) return refuse(401, 'invalid or expired curl session token');
    if (!grant.integrations.includes(path.integration))
      return refuse(403, 'integration is not in this curl session');
    const integration = registry.integration(path.integration);
    if (integration?.api === undefined) return refuse(400, 'integration does not support curl proxy');
    if (!isSafeTail(path.tail, path.search)) return refuse(400, 'invalid path');
    if (!isWithin(grant, method, path))
      return refuse(403, 'this curl session does not allow that method or path');
    return connect(grant, integration, path);
  }

  async function connect(
    { userId, methods }: Pick<CurlGrant, 'userId' | 'methods'>,
    integration: Integration,
    path: ProxyPath,
    refused?: string,
  ): Promise<Permitted | Refused> {
    const usable = await tokens.usable(userId, integration, refused);
    switch (usable.kind) {
      case 'not-connected':
        return notConnected(integration);
      case 'reconnect':
      case 'later':
        return refuse(502, `upstream request failed: ${usable.message}`);
      case 'usable': {
        const { connection, secret } = usable;
        // A session that has run out would make the caller a stranger there.
        if (integration.auth.type === 'cookie' && !hasLiveCookie(secret, clock.now()))
          return notConnected(integration);
        const way = ways.of(integration, connection, secret);
        if ('reason' in way) return refuse(502, `cannot resolve proxy base URL: ${way.reason}`);
        try {
          const destination = await destinationOf(way, path);
          return {
            kind: 'permitted',
            heldToMethods: methods !== undefined,
            userId,
            integration,
            connection,
            secret,
            destination,
          };
        } catch (error) {
          if (error instanceof EgressFailure) return refuse(502, `upstream request failed: ${error.message}`);
          throw error;
        }
      }
    }
  }

  function notConnected(integration: Integration): Refused {
    const message = howToConnect(integration, config);
    const body = { error: ErrorCode.NOT_CONNECTED, integration: integration.name, message };
    return { kind: 'refused', status: 409, body };
  }

  async function destinationOf(way: Way, { tail, search }: ProxyPath): Promise<Destination> {
    const { integration, root, base, prefix, defaults } = way;
    const declared = new URL(`${base}${tail}${search}`);
    // Said again after all that was checked: nothing leaves the base.
    if (!declared.href.startsWith(base) || !ENDS_A_SEGMENT.has(declared.href.charAt(base.length)))
      throw new EgressFailure('bad-url', 'that path leaves the API');
    const headers = way.headers ?? ways.carried(way, declared);
    const { origin, addresses } = await egress.locate(root);
    const added = integration.api?.credential.in === 'query' ? declared.search : search;
    const target = `${prefix}${tail === '' ? '/' : tail}${added}`;
    return { declared, origin, target, addresses, headers, defaults };
  }

  return {
    permit,
    async again({ userId, heldToMethods, integration, secret }, { path }) {
      if (integration.auth.type !== 'oauth2') return null;
      const next = await connect({ userId }, integration, path, secret);
      return next.kind === 'permitted' && next.secret !== secret ? { ...next, heldToMethods } : null;
    },
  };
}

function refuse(status: Refused['status'], error: string): Refused {
  return { kind: 'refused', status, body: { error } };
}

/** A prefix ends where a segment ends: `/repos/a` does not let `/repos/ab` in. */
function isWithin({ methods, pathPrefix }: CurlGrant, method: string, { tail }: ProxyPath): boolean {
  if (methods !== undefined && !methods.includes(method)) return false;
  if (pathPrefix === undefined) return true;
  const prefix = pathPrefix.replace(/\/$/, '');
  return tail === prefix || tail.startsWith(`${prefix}/`);
}
