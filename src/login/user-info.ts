// Reads at the provider's userinfo endpoint which groups a person is in, where the ID token does not say. reference: Groups; decision: 017
import { allowInsecureRequests } from 'oauth4webapi';
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import { EgressFailure, type EgressReason } from '../egress/failure.ts';
import { readJson } from '../egress/json.ts';
import type { OAuthRequests } from '../egress/oauth-requests.ts';
import type { Log } from '../ports/log.ts';
import type { ProviderMetadata } from './discovery.ts';
import { isOpen, joinGroups, judgeGroups, readGroups } from './groups.ts';
import type { Identity } from './id-token.ts';
import { createProviderRequests } from './provider-requests.ts';
import type { ProviderSettings } from './providers.ts';

interface Source {
  metadata: ProviderMetadata;
  accessToken: string | undefined;
}

const Claims = z.looseObject({ sub: z.string() });

/** A later sign-in may succeed. */
const WITHOUT_ANSWER: readonly EgressReason[] = ['unreachable', 'timeout'];

/** Rejects with an EgressFailure when the provider cannot be reached. What userinfo does not say stays missing. */
export async function completeGroups(
  deps: { egress: Egress; log: Log },
  { name: provider, issuer, groups: rules }: ProviderSettings,
  identity: Identity,
  { metadata, accessToken }: Source,
): Promise<Identity> {
  const { groups } = identity;
  if (rules === null || groups === null || !isOpen(judgeGroups(rules, groups))) return identity;
  const { userinfo_endpoint: endpoint } = metadata;
  if (endpoint === undefined || accessToken === undefined) return identity;
  const requests = createProviderRequests(deps.egress, new URL(issuer));
  const read = await readUserInfo(requests, new URL(endpoint), { accessToken, subject: identity.subject });
  if ('why' in read) {
    deps.log.write('warn', 'userinfo not used', { provider, why: read.why });
    return identity;
  }
  return { ...identity, groups: joinGroups(groups, readGroups(read.claims, rules)) };
}

async function readUserInfo(
  requests: OAuthRequests,
  endpoint: URL,
  { accessToken, subject }: { accessToken: string; subject: string },
): Promise<{ claims: z.infer<typeof Claims> } | { why: string }> {
  if (endpoint.protocol !== 'https:' && !requests[allowInsecureRequests])
    return { why: 'others could read the access token on the way' };
  try {
    const response = await requests.fetch(endpoint.href, {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      const reason = response.status >= 500 ? 'unreachable' : 'bad-answer';
      throw new EgressFailure(reason, `${endpoint.host} answered with status ${response.status}`);
    }
    const parsed = Claims.safeParse(await readJson(response, endpoint.host));
    if (!parsed.success) return { why: 'it names no sub' };
    // OpenID Connect Core §5.3.2: an answer about another person must not be used
    if (parsed.data.sub !== subject) return { why: 'it names another sub than the ID token' };
    return { claims: parsed.data };
  } catch (error) {
    if (!(error instanceof EgressFailure) || WITHOUT_ANSWER.includes(error.reason)) throw error;
    return { why: error.message };
  }
}
