// Mints and verifies named keys: what a person gives to one agent. reference: Named keys; decision: 038
import { AGENT_KEY_USE_SECONDS, AGENT_KEYS_PER_PERSON } from './limits.ts';
import { toHex } from '../crypto/encoding.ts';
import { describe } from '../http/errors.ts';
import { AgentPaused } from '../http/paused.ts';
import { agentKeyActorId, type Identity, type Limits } from '../kit/actor.ts';
import { parseLimits } from '../kit/limits.ts';
import { rememberParsed } from '../memory/remember-parsed.ts';
import { createSharePerTick } from '../memory/share-per-tick.ts';
import type { AgentKey } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';

const PREFIX = 'agk_';
const SHAPE = /^agk_[0-9a-f]{64}$/;

export interface NewAgentKey {
  name: string;
  limits: Limits;
  expiresAt: number | null;
}

export interface AgentKeys {
  /** Whether a presented credential claims to be a named key. */
  isOne(presented: string): boolean;
  /** Returns who calls with the key, or null when the key is unknown, deleted or expired. Throws `AgentPaused`, as the next two do. */
  verify(presented: string): Promise<Identity | null>;
  /** Returns who calls on behalf of a key, for tokens that the key was exchanged for. */
  byId(id: string): Promise<Identity | null>;
  /** The same for a machine that acts with the key through a client or a rule, which may have ended. decision: 054 */
  through(machine: { keyId: string; via: string }): Promise<Identity | null>;
  /** Returns null when the person has too many keys. */
  mint(userId: string, wanted: NewAgentKey): Promise<{ key: string; record: AgentKey } | null>;
  list(userId: string): Promise<AgentKey[]>;
  /** The next call is judged by the new limits. Returns null when the person has no such key. */
  change(userId: string, id: string, wanted: NewAgentKey): Promise<AgentKey | null>;
  /** Pauses the key, or lets it work again. Returns null when the person has no such key. */
  pause(userId: string, id: string, on: boolean): Promise<AgentKey | null>;
  /** The key stops working at once. Returns false when the person has no such key. */
  remove(userId: string, id: string): Promise<boolean>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'log' | 'random' | 'store'>;

export function createAgentKeys({ clock, digest, log, random, store }: Needs): AgentKeys {
  const keys = createSharePerTick(clock, (sha) => store.agentKeys.bySha(sha));
  const machineKeys = createSharePerTick(clock, (both) => {
    const [keyId = '', via = ''] = both.split('\n');
    return store.machines.key(keyId, via);
  });
  const limitsIn = rememberParsed(parseLimits);

  function identityOf(record: AgentKey | null): Identity | null {
    if (record === null || (record.expires_at !== null && record.expires_at <= clock.now())) return null;
    if (record.paused_at !== null) throw new AgentPaused(record.name);
    noteUse(record);
    return {
      userId: record.user_id,
      ...(record.expires_at === null ? {} : { until: record.expires_at }),
      actor: {
        id: agentKeyActorId(record.id),
        name: record.name,
        clientId: null,
        limits: [limitsIn(record.limits)],
      },
    };
  }

  /** The call does not wait for this write. When the write fails, people see an older time. */
  function noteUse({ id, last_used_at }: AgentKey): void {
    const now = clock.now();
    if (last_used_at !== null && now - last_used_at < AGENT_KEY_USE_SECONDS) return;
    store.agentKeys.noteUse(id, now).catch((error: unknown) => {
      log.write('warn', 'the use of a key was not noted', describe(error));
    });
  }

  return {
    isOne: (presented) => presented.startsWith(PREFIX),

    async verify(presented) {
      return SHAPE.test(presented) ? identityOf(await keys.read(digest.sha256(presented))) : null;
    },

    async through({ keyId, via }) {
      const identity = identityOf(await machineKeys.read(`${keyId}\n${via}`));
      return identity === null ? null : { ...identity, actor: { ...identity.actor, via } };
    },

    byId: async (id) => identityOf(await store.agentKeys.get(id)),

    async mint(userId, { name, limits, expiresAt }) {
      const key = `${PREFIX}${toHex(random.bytes(32))}`;
      const record: AgentKey = {
        id: random.uuid(),
        user_id: userId,
        name,
        key_sha: digest.sha256(key),
        limits: JSON.stringify(limits),
        expires_at: expiresAt,
        created_at: clock.now(),
        last_used_at: null,
        paused_at: null,
      };
      return (await store.agentKeys.add(record, AGENT_KEYS_PER_PERSON)) ? { key, record } : null;
    },

    list: (userId) => store.agentKeys.list(userId),

    change: (userId, id, { name, limits, expiresAt }) =>
      store.agentKeys
        .update(userId, id, { name, limits: JSON.stringify(limits), expires_at: expiresAt })
        .finally(keys.forget),

    pause: (userId, id, on) =>
      store.agentKeys.pause(userId, id, on ? clock.now() : null).finally(keys.forget),

    remove: (userId, id) => store.agentKeys.delete(userId, id).finally(keys.forget),
  };
}
