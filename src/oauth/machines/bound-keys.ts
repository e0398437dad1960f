// Finds the named keys that machines act with, and shows them. reference: Machines; decision: 054
import { HttpError } from '../../http/errors.ts';
import { parseLimits } from '../../kit/limits.ts';
import type { AgentKey } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import type { BoundKey } from './operations.ts';

interface Bound {
  key_id: string;
  user_id: string;
}

export interface BoundKeys {
  /** Throws 400 for what is no key of the person. `wanted` is an id or a name. */
  require(userId: string, wanted: string, at?: string): Promise<AgentKey>;
  /** Returns what shows keys to a person. It reads each key and each owner once. */
  shower(userId: string, bound: readonly Bound[]): Promise<(one: Bound) => BoundKey>;
}

export function createBoundKeys({ clock, store }: Pick<Ports, 'clock' | 'store'>): BoundKeys {
  const isOver = ({ expires_at }: AgentKey) => expires_at !== null && expires_at <= clock.now();

  return {
    async require(userId, wanted, at = 'key') {
      const keys = await store.agentKeys.list(userId);
      const named = keys.filter(({ name }) => name === wanted);
      const key = keys.find(({ id }) => id === wanted) ?? named[0];
      if (key === undefined)
        throw new HttpError(400, {
          error: `${at}: you have no named key ${JSON.stringify(wanted)}. Make it under Agents, Keys`,
        });
      if (key.id !== wanted && named.length > 1)
        throw new HttpError(400, {
          error: `${at}: you have ${named.length} keys named ${JSON.stringify(wanted)}. Send the id of one`,
        });
      if (isOver(key)) throw new HttpError(400, { error: `${at}: this key has expired` });
      return key;
    },

    async shower(userId, bound) {
      const ids = [...new Set(bound.map(({ key_id }) => key_id))];
      const owners = [...new Set(bound.map(({ user_id }) => user_id))];
      const [keys, people] = await Promise.all([
        Promise.all(ids.map(async (id) => [id, await store.agentKeys.get(id)] as const)),
        Promise.all(owners.map(async (id) => [id, (await store.users.byId(id))?.email ?? null] as const)),
      ]);
      const [keyOf, emailOf] = [new Map(keys), new Map(people)];
      return ({ key_id, user_id }) => {
        const key = keyOf.get(key_id) ?? null;
        const isLive = key !== null && !isOver(key);
        return {
          id: key_id,
          name: isLive ? key.name : null,
          mine: user_id === userId,
          owner: emailOf.get(user_id) ?? null,
          limits: {
            ...(isLive ? parseLimits(key.limits) : {}),
            ...(isLive && key.expires_at !== null ? { expiresAt: key.expires_at } : {}),
          },
        };
      };
    },
  };
}
