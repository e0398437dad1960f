// Reads what an issuer that signs nobody in publishes: its name and its keys. reference: Trusted issuers; decision: 054
import type { JWTVerifyGetKey } from 'jose';
import { discoveryRequest } from 'oauth4webapi';
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Clock } from '../ports/clock.ts';
import { cacheDocument } from './cached-document.ts';
import { withoutSlash } from './discovery.ts';
import { createIssuerKeys, readAnswer } from './issuer-keys.ts';
import { createProviderRequests } from './provider-requests.ts';

// GitHub Actions and Kubernetes publish no endpoint of a sign-in.
const Published = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

export interface SignedIssuer {
  /** The `iss` of its tokens, as it spells it. Rejects with an EgressFailure. */
  spelling(): Promise<string>;
  key: JWTVerifyGetKey;
}

export function createSignedIssuer(
  issuer: string,
  { clock, egress }: { clock: Pick<Clock, 'millis'>; egress: Egress },
): SignedIssuer {
  const url = new URL(issuer);
  const requests = createProviderRequests(egress, url);
  const published = cacheDocument(clock, async () => {
    const answer = await readAnswer(await discoveryRequest(url, requests), url, Published);
    if (withoutSlash(answer.issuer) !== withoutSlash(issuer))
      throw new EgressFailure('bad-answer', `${url.host} names another issuer than ${issuer}`);
    return answer;
  });
  return {
    spelling: async () => (await published.get()).issuer,
    key: createIssuerKeys(url, clock, requests, async () => (await published.get()).jwks_uri),
  };
}
