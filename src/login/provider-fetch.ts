// Adapts the egress guard to oauth4webapi: five seconds, one mebibyte, no redirects. decision: 038
import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { Egress, EgressInit } from '../egress/door.ts';
import { PROVIDER_ANSWER_BYTES, PROVIDER_TIMEOUT_MS } from '../config/limits.ts';

type Fetch = (
  url: string,
  init: Pick<EgressInit, 'method' | 'headers' | 'signal'> & { body?: unknown },
) => Promise<Response>;

export interface ProviderFetch {
  fetch: Fetch;
  [customFetch]: Fetch;
  [allowInsecureRequests]: boolean;
}

export function createProviderFetch(egress: Pick<Egress, 'fetch'>, issuer: URL): ProviderFetch {
  const fetch: Fetch = (url, { method, headers, body, signal }) =>
    egress.fetch(url, {
      method: method ?? 'GET',
      headers: headers ?? {},
      body: body instanceof URLSearchParams ? body.toString() : null,
      signal,
      timeoutMs: PROVIDER_TIMEOUT_MS,
      maxBytes: PROVIDER_ANSWER_BYTES,
      redirects: 'manual',
    });
  // The configuration allows an http issuer only on loopback.
  return { fetch, [customFetch]: fetch, [allowInsecureRequests]: issuer.protocol === 'http:' };
}
