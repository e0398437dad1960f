// Tells whether a caller that is not there may still call: the gateway runs its approved call by itself. reference: Tasks
import type { AgentKeys } from './agent-keys.ts';
import type { Endings } from './endings.ts';
import { AgentPaused } from '../http/paused.ts';
import { type Actor, agentKeyIdOf, type Identity, PERSONAL_KEY, serviceKeyIdOf } from '../kit/actor.ts';
import type { ServiceKeyAuth } from './service-keys.ts';
import type { Ports } from '../ports/ports.ts';

/** Returns null when the person or the credential has lost its access since the call was asked about. */
export type CurrentCaller = (userId: string, actor: Actor, since: number) => Promise<Identity | null>;

type Needs = Pick<Ports, 'store'> & {
  agentKeys: Pick<AgentKeys, 'byId'>;
  endings: Endings;
  serviceKeyAuth: Pick<ServiceKeyAuth, 'acting'>;
};

/** The approvals of a client end with its tokens, so a client needs no look of its own. */
export function createCurrentCaller({ agentKeys, endings, serviceKeyAuth, store }: Needs): CurrentCaller {
  /** A paused key owns nothing: what it asked for before must not run now. */
  async function ownerOf(keyId: string): Promise<string | undefined> {
    try {
      return (await agentKeys.byId(keyId))?.userId;
    } catch (error) {
      if (error instanceof AgentPaused) return undefined;
      throw error;
    }
  }

  return async function currentCaller(userId, actor, since) {
    if (await endings.isOver(userId, since)) return null;
    const user = await store.users.byId(userId);
    if (user === null || user.disabled_at !== null || user.deleted_at !== null) return null;
    if (actor.id === PERSONAL_KEY.id && user.api_key_hash === null) return null;
    if (actor.clientId !== null && endings.isPaused(userId, actor.clientId)) return null;
    const serviceKeyId = serviceKeyIdOf(actor);
    if (serviceKeyId !== null && (await serviceKeyAuth.acting(serviceKeyId, userId)) === null) return null;
    const keyId = agentKeyIdOf(actor);
    if (keyId !== null && (await ownerOf(keyId)) !== userId) return null;
    return { userId, actor };
  };
}
