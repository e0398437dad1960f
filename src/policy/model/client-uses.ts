// Notes when a client was last used, so that people can tell clients that they still need. reference: Agents
import { AGENT_KEY_USE_SECONDS } from '../../auth/limits.ts';
import { describe } from '../../http/errors.ts';
import { createLru, type Lru } from '../../memory/lru.ts';
import { UNLIMITED } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';

/** When this process last noted the use of each client, in Unix seconds. */
export type ClientUses = Lru<number>;

const MAX_CLIENTS = 10_000;

export const createClientUses = (): ClientUses => createLru<number>(MAX_CLIENTS);

/** The call does not wait for this write. When the write fails, people see an older time. */
export type NoteClientUse = (userId: string, clientId: string) => void;

export function createNoteClientUse({
  clientUses,
  clock,
  log,
  store,
}: Pick<Ports, 'clock' | 'log' | 'store'> & { clientUses: ClientUses }): NoteClientUse {
  return function noteClientUse(userId, clientId) {
    const now = clock.now();
    const key = `${userId}\n${clientId}`;
    const last = clientUses.get(key);
    if (last !== undefined && now - last < AGENT_KEY_USE_SECONDS) return;
    clientUses.set(key, now, 1);
    const grant = {
      ...UNLIMITED,
      user_id: userId,
      client_id: clientId,
      updated_at: now,
      last_used_at: now,
      paused_at: null,
    };
    store.policies.noteUse(grant).catch((error: unknown) => {
      log.write('warn', 'the use of a client was not noted', describe(error));
    });
  };
}
