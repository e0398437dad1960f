// Reads at the provider's userinfo endpoint what the ID token does not say: the e-mail address and the groups. reference: Groups; decision: 017
import type { JWTPayload } from 'jose';
import { allowInsecureRequests } from 'oauth4webapi';
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import { EgressFailure, type EgressReason } from '../egress/failure.ts';
import { readJson } from '../egress/json.ts';
import type { OAuthRequests } from '../egress/oauth-requests.ts';
import type { Log } from '../ports/log.ts';
import type { ProviderMetadata } from './discovery.ts';
import { isComplete, isOpen, joinGroups, judgeGroups, readGroups } from './groups.ts';
import { hasEmail, type Identity } from './id-token.ts';
import { createProviderRequests } from './provider-requests.ts';
import type { ProviderSettings } from './providers.ts';

interface Source {
  metadata: ProviderMetadata;
  accessToken: string | undefined;
}

const Claims = z.looseObject({ sub: z.string() });

/** A later sign-in may succeed. */
const WITHOUT_ANSWER: readonly EgressReason[] = ['unreachable', 'timeout'];

/** The claims of userinfo; null where there are none. Rejects with an EgressFailure when the provider cannot be reached. */
export type UserInfo = () => Promise<z.infer<typeof Claims> | null>;

/** Asks when it is first needed, and once. */
export function createUserInfo(
  deps: { egress: Egress; log: Log },
  { name: provider, issuer }: ProviderSettings,
  { sub: subject }: JWTPayload,
  { metadata: { userinfo_endpoint: endpoint }, accessToken }: Source,
): UserInfo {
  async function ask(): ReturnType<UserInfo> {
    if (endpoint === undefined || accessToken === undefined || subject === undefined) return null;
    const requests = createProviderRequests(deps.egress, new URL(issuer));
    const read = await readUserInfo(requests, new URL(endpoint), { accessToken, subject });
    if ('claims' in read) return read.claims;
    deps.log.write('warn', 'userinfo not used', { provider, why: read.why });
    return null;
  }
  let asked: ReturnType<UserInfo> | undefined;
  return () => (asked ??= ask());
}

/** Some providers have the e-mail address at userinfo only. OpenID Connect Core §5.4 */
export async function completeEmail(claims: JWTPayload, userInfo: UserInfo): Promise<JWTPayload> {
  if (hasEmail(claims)) return claims;
  const info = await userInfo();
  // What the signed token says of the address is believed first.
  return info === null ? claims : { email_verified: info['email_verified'], ...claims, email: info['email'] };
}

/** What userinfo does not say stays missing. */
export async function completeGroups(
  { groups: rules }: ProviderSettings,
  identity: Identity,
  userInfo: UserInfo,
): Promise<Identity> {
  const { groups } = identity;
  if (rules === null || groups === null || isComplete(groups)) return identity;
  if (!isOpen(rules, judgeGroups(rules, groups))) return identity;
  const claims = await userInfo();
  return claims === null ? identity : { ...identity, groups: joinGroups(groups, readGroups(claims, rules)) };
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
