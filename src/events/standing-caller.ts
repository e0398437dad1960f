// Tells whether the caller that has subscribed may still call, and with which limits it does now. reference: Watches
import type { AgentKeys } from '../auth/agent-keys.ts';
import type { ServiceKeyAuth } from '../auth/service-keys.ts';
import type { CurrentCaller } from '../auth/current-caller.ts';
import { type Actor, agentKeyIdOf, type Identity, serviceKeyIdOf } from '../kit/actor.ts';
import type { Ports } from '../ports/ports.ts';

/** Returns null when the person, the key or the client has lost its access. */
export type StandingCaller = (userId: string, actor: Actor, since: number) => Promise<Identity | null>;

type Needs = Pick<Ports, 'clock' | 'store'> & {
  agentKeys: Pick<AgentKeys, 'byId' | 'through'>;
  currentCaller: CurrentCaller;
  serviceKeyAuth: Pick<ServiceKeyAuth, 'acting'>;
};

export function createStandingCaller({
  agentKeys,
  clock,
  currentCaller,
  serviceKeyAuth,
  store,
}: Needs): StandingCaller {
  return async function standingCaller(userId, actor, since) {
    const identity = await currentCaller(userId, actor, since);
    if (identity === null) return null;
    const keyId = agentKeyIdOf(actor);
    if (keyId !== null) {
      const { via } = actor;
      const now = via === undefined ? await agentKeys.byId(keyId) : await agentKeys.through({ keyId, via });
      return now?.userId === userId ? now : null;
    }
    const serviceKeyId = serviceKeyIdOf(actor);
    if (serviceKeyId !== null) return serviceKeyAuth.acting(serviceKeyId, userId);
    if (actor.clientId === null) return identity;
    const tokens = await store.refreshTokens.list(userId, clock.now());
    return tokens.some(({ client_id: client }) => client === actor.clientId) ? identity : null;
  };
}
