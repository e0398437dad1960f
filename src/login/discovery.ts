// Reads what a provider publishes about itself: its endpoints and its keys, each cached for a while. decision: 016
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { discoveryRequest } from 'oauth4webapi';
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import { EgressFailure } from '../egress/failure.ts';
import { readJson } from '../egress/json.ts';
import { cacheDocument } from './cached-document.ts';
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

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

const RSA_BITS = 2_048;

type KeyChoice = ReturnType<typeof createLocalJWKSet>;

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

  const keys = cacheDocument(deps.clock, async () => {
    const at = new URL((await metadata.get()).jwks_uri);
    if (at.protocol !== 'https:' && url.protocol === 'https:')
      throw new EgressFailure(
        'bad-answer',
        `${url.host} publishes its keys over a connection that others can change`,
      );
    const answer = await options.fetch(at.href, { method: 'GET', headers: { accept: 'application/json' } });
    return createLocalJWKSet(await readAnswer(answer, at, KeySet));
  });

  async function choose(set: KeyChoice, ...named: Parameters<KeyChoice>): Promise<CryptoKey> {
    let key: CryptoKey;
    try {
      key = await set(...named);
    } catch (cause) {
      if (cause instanceof errors.JOSEError) throw cause;
      throw new EgressFailure('bad-answer', `${url.host} publishes a key that cannot be read`, { cause });
    }
    // RFC 7518 §3.3
    if ('modulusLength' in key.algorithm && Number(key.algorithm.modulusLength) < RSA_BITS)
      throw new EgressFailure('bad-answer', `${url.host} publishes a key of fewer than ${RSA_BITS} bits`);
    return key;
  }

  return {
    metadata: () => metadata.get(),
    async key(header, token) {
      const kept = await keys.get();
      try {
        return await choose(kept, header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey || error instanceof EgressFailure)) throw error;
        return choose(await keys.renew(), header, token);
      }
    },
  };
}

async function readAnswer<T extends z.ZodType>(response: Response, url: URL, shape: T): Promise<z.infer<T>> {
  if (response.status !== 200) {
    await response.body?.cancel();
    const reason = response.status >= 500 ? 'unreachable' : 'bad-answer';
    throw new EgressFailure(reason, `${url.host} answered with status ${response.status}`);
  }
  const parsed = shape.safeParse(await readJson(response, url.host));
  if (!parsed.success)
    throw new EgressFailure('bad-answer', `${url.host} does not publish the required provider metadata`);
  return parsed.data;
}

/** An issuer may be written with a slash at its end or without. */
export const withoutSlash = (text: string): string => text.replace(/\/$/, '');
