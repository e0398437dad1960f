// Identifies the caller: tries the credentials of a surface in the order of the specification.
import { bearerToken } from '../http/bearer-token.ts';
import { AgentPaused } from '../http/paused.ts';
import { keyInHeader, presentedKey } from '../http/presented-key.ts';
import { HttpError } from '../http/errors.ts';
import { actorOf } from './scopes.ts';
import { type Identify, type Identity, isAgentKey, PERSONAL_KEY, SESSION } from '../kit/actor.ts';
import type { AccessTokens, VerifiedGrant } from './access-token.ts';
import type { AgentKeys } from './agent-keys.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Clock } from '../ports/clock.ts';
import type { Endings } from './endings.ts';
import { ACTOR_HEADER, type ServiceKeyAuth } from './service-keys.ts';
import type { Sessions } from './session.ts';

type RequestHeaders = { get(name: string): string | null };
/** Returns who calls, null for an invalid credential, or undefined when there is no credential of this kind. */
type ReadCredential = (headers: RequestHeaders) => Verdict | Promise<Verdict>;
type Verdict = Identity | null | undefined;

export function createIdentify({
  accessTokens,
  agentKeys,
  apiKeys,
  clock,
  endings,
  serviceKeyAuth,
  sessions,
}: {
  accessTokens: AccessTokens;
  agentKeys: AgentKeys;
  apiKeys: ApiKeys;
  clock: Pick<Clock, 'millis'>;
  endings: Endings;
  serviceKeyAuth: Pick<ServiceKeyAuth, 'isOne' | 'callerFor'>;
  sessions: Sessions;
}) {
  // An invalid key never falls through to another credential. decision: 038
  const readKey =
    (find: (headers: RequestHeaders) => string | null): ReadCredential =>
    (headers) => {
      const presented = find(headers);
      if (presented === null) return undefined;
      return agentKeys.isOne(presented) ? agentKeys.verify(presented) : readPersonalKey(presented);
    };

  async function readPersonalKey(presented: string): Promise<Identity | null> {
    const holder = await apiKeys.verify(presented);
    if (holder === null) return null;
    const identity = { userId: holder.id, actor: PERSONAL_KEY };
    return holder.hasRules ? identity : { ...identity, withoutRulesAt: clock.millis() };
  }

  /** Only a service key acts for others: somebody who names an actor beside another credential must not act as themselves. */
  const serviceKey: ReadCredential = (headers) => {
    const actor = headers.get(ACTOR_HEADER);
    const presented = presentedKey(headers);
    if (presented !== null && serviceKeyAuth.isOne(presented))
      return serviceKeyAuth.callerFor(presented, actor);
    if (actor !== null)
      throw new HttpError(400, { error: `The header ${ACTOR_HEADER} goes with a service key only` });
    return undefined;
  };

  const accessToken: ReadCredential = async (headers) => {
    const token = bearerToken(headers.get('authorization'));
    const grant = token === null ? null : await accessTokens.verify(token);
    if (grant?.machine !== undefined) return machine(grant, grant.machine);
    if (grant === null || (await endings.isOver(grant.userId, grant.issuedAt))) return undefined;
    if (endings.isPaused(grant.userId, grant.clientId)) throw new AgentPaused(grant.clientName ?? null);
    return { userId: grant.userId, actor: actorOf(grant), until: grant.expiresAt };
  };

  // The key, and the client or rule, are read at each call: the token ends with either of them. decision: 054
  async function machine(grant: VerifiedGrant, acting: NonNullable<VerifiedGrant['machine']>) {
    const identity = await agentKeys.through(acting);
    if (identity === null || identity.userId !== grant.userId) return null;
    const { limits } = actorOf(grant);
    const { actor, until = grant.expiresAt } = identity;
    return {
      ...identity,
      actor: { ...actor, name: grant.clientName ?? actor.name, limits: [...actor.limits, ...limits] },
      until: Math.min(until, grant.expiresAt),
    };
  }

  const portalSession: ReadCredential = async (headers) => {
    const token = bearerToken(headers.get('authorization'));
    const session = token === null ? null : await sessions.verify(token);
    if (session === null || (await endings.isOver(session.userId, session.issuedAt))) return undefined;
    return { userId: session.userId, actor: SESSION, until: session.expiresAt };
  };

  // The order of credentials on each surface. reference: Authentication
  return {
    // Some MCP clients have one field for a credential, and send a key as a Bearer.
    machine: inOrder([serviceKey, readKey(presentedKey), accessToken, portalSession]),
    portal: inOrder([readKey(keyInHeader), portalSession]),
  };
}

/** The person behind a credential that may use the whole portal API. A named key may not. */
export function personOf(identity: Identity | null): string | null {
  return identity === null || isAgentKey(identity.actor) ? null : identity.userId;
}

function inOrder(credentials: readonly ReadCredential[]): Identify {
  return async function identify(headers) {
    for (const credential of credentials) {
      const reading = credential(headers);
      const verdict = reading instanceof Promise ? await reading : reading;
      if (verdict !== undefined) return verdict;
    }
    return null;
  };
}
