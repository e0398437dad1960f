// Reads the keys of an issuer, and keeps them for a while. decision: 016
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { EgressFailure } from '../egress/failure.ts';
import { readJson } from '../egress/json.ts';
import type { OAuthRequests } from '../egress/oauth-requests.ts';
import type { Clock } from '../ports/clock.ts';
import { cacheDocument } from './cached-document.ts';

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** RFC 7517 §8.5.2. Kubernetes sends the first type, most providers the second. */
const KEY_SET_TYPES = 'application/jwk-set+json, application/json';

export const RSA_BITS = 2_048;

type KeyChoice = ReturnType<typeof createLocalJWKSet>;

/**
 * Returns the key that a token names. An unknown or unusable key is looked up again in a new key set, which is fetched at
 * most every 30 seconds. `locate` returns the address of the key set.
 */
export function createIssuerKeys(
  issuer: URL,
  clock: Pick<Clock, 'millis'>,
  requests: Pick<OAuthRequests, 'fetch'>,
  locate: () => Promise<string>,
): JWTVerifyGetKey {
  const keys = cacheDocument(clock, async () => {
    const at = new URL(await locate());
    if (at.protocol !== 'https:' && issuer.protocol === 'https:')
      throw new EgressFailure(
        'bad-answer',
        `${issuer.host} publishes its keys over a connection that others can change`,
      );
    const answer = await requests.fetch(at.href, { method: 'GET', headers: { accept: KEY_SET_TYPES } });
    return createLocalJWKSet(await readAnswer(answer, at, KeySet));
  });

  async function choose(set: KeyChoice, ...named: Parameters<KeyChoice>): Promise<CryptoKey> {
    let key: CryptoKey;
    try {
      key = await set(...named);
    } catch (cause) {
      if (cause instanceof errors.JOSEError) throw cause;
      throw new EgressFailure('bad-answer', `${issuer.host} publishes a key that cannot be read`, { cause });
    }
    // RFC 7518 §3.3
    if ('modulusLength' in key.algorithm && Number(key.algorithm.modulusLength) < RSA_BITS)
      throw new EgressFailure('bad-answer', `${issuer.host} publishes a key of fewer than ${RSA_BITS} bits`);
    return key;
  }

  return async function findKey(header, token) {
    const kept = await keys.get();
    try {
      return await choose(kept, header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey || error instanceof EgressFailure)) throw error;
      return choose(await keys.renew(), header, token);
    }
  };
}

export async function readAnswer<T extends z.ZodType>(
  response: Response,
  url: URL,
  shape: T,
): Promise<z.infer<T>> {
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
