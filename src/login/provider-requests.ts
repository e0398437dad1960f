// The requests to a sign-in provider: five seconds, one mebibyte, no redirects. decision: 016
import { PROVIDER_ANSWER_BYTES, PROVIDER_TIMEOUT_MS } from './limits.ts';
import type { Egress } from '../egress/door.ts';
import { createOAuthRequests, type OAuthRequests } from '../egress/oauth-requests.ts';

export const createProviderRequests = (egress: Egress, issuer: URL): OAuthRequests =>
  createOAuthRequests(egress, {
    timeoutMs: PROVIDER_TIMEOUT_MS,
    maxBytes: PROVIDER_ANSWER_BYTES,
    redirects: 'manual',
    // The configuration allows an http issuer only on loopback.
    allowsHttp: issuer.protocol === 'http:',
  });
