// Reads what a provider publishes about itself: its endpoints and its keys, each cached for a while. decision: 016
import type { JWTVerifyGetKey } from 'jose';
import { discoveryRequest } from 'oauth4webapi';
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import { EgressFailure } from '../egress/failure.ts';
import { cacheDocument } from './cached-document.ts';
import { createIssuerKeys, readAnswer } from './issuer-keys.ts';
import { createProviderRequests } from './provider-requests.ts';

const address = z.url({ protocol: /^https?$/ });

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  // Only groups need it, so an odd value must not keep people out.
  userinfo_endpoint: address.optional().catch(undefined),
  jwks_uri: address,
  // OpenID Connect Discovery §3: basic is the default
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  // Initiating User Registration via OpenID Connect: absent says nothing. An odd value must not keep people out.
  prompt_values_supported: z.array(z.string()).optional().catch(undefined),
});

export type ProviderMetadata = z.infer<typeof Metadata>;

export interface Discovery {
  /** Rejects with an EgressFailure. */
  metadata(): Promise<ProviderMetadata>;
  /** Returns the key that a token names. An unknown or unusable key is looked up again in a new key set. */
  key: JWTVerifyGetKey;
}

export function createDiscovery(issuer: string, deps: Pick<Ports, 'clock'> & { egress: Egress }): Discovery {
  const url = new URL(issuer);
  const options = createProviderRequests(deps.egress, url);

  const metadata = cacheDocument(deps.clock, async () => {
    const answer = await readAnswer(await discoveryRequest(url, options), url, Metadata);
    if (withoutSlash(answer.issuer) !== withoutSlash(issuer))
      throw new EgressFailure('bad-answer', `${url.host} names another issuer than ${issuer}`);
    // RFC 6749 §3.2: this endpoint gets the client's secret and the code, so it must use TLS
    if (url.protocol === 'https:' && new URL(answer.token_endpoint).protocol !== 'https:')
      throw new EgressFailure(
        'bad-answer',
        `${url.host} would receive the secret over a connection that others can read`,
      );
    return answer;
  });

  const key = createIssuerKeys(url, deps.clock, options, async () => (await metadata.get()).jwks_uri);
  return { metadata: () => metadata.get(), key };
}

/** An issuer may be written with a slash at its end or without. */
export const withoutSlash = (text: string): string => text.replace(/\/$/, '');
