// Adapts the egress guard to oauth4webapi, which makes the OAuth requests of the gateway as a client.
import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { EgressInit, Fetcher } from './door.ts';

export interface OAuthInit {
  method?: string;
  headers?: Record<string, string>;
  /** The library sends forms, and JSON as a text. */
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

type OAuthFetch = (url: string, init: OAuthInit) => Promise<Response>;

export interface OAuthRequests {
  fetch: OAuthFetch;
  [customFetch]: OAuthFetch;
  [allowInsecureRequests]: boolean;
}

type Limits = Required<Pick<EgressInit, 'timeoutMs' | 'maxBytes' | 'redirects'>>;

/** `allowsHttp` is for a caller that has checked its addresses, or whose provider is on loopback. */
export function createOAuthRequests(
  egress: Pick<Fetcher, 'fetch'>,
  { allowsHttp, ...limits }: Limits & { allowsHttp: boolean },
): OAuthRequests {
  const fetch: OAuthFetch = (url, { method = 'GET', headers = {}, body, signal }) =>
    egress.fetch(url, { method, headers, body: writeBody(body), signal, ...limits });
  return { fetch, [customFetch]: fetch, [allowInsecureRequests]: allowsHttp };
}

function writeBody(body: unknown): string | null {
  if (body instanceof URLSearchParams) return body.toString();
  return typeof body === 'string' ? body : null;
}
