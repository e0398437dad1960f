// Finds the set that a caller means, and the tools of it that the caller has. reference: Sets
import type { KnownCaller } from '../../kit/integration.ts';
import type { RegisteredTool, Registry } from '../../kit/registry.ts';
import { SET_NAME } from '../../kit/set-address.ts';
import { parseTools } from '../../kit/set-tools.ts';
import { createLru, type Lru } from '../../memory/lru.ts';
import { rememberParsed } from '../../memory/remember-parsed.ts';
import { createSharePerTick } from '../../memory/share-per-tick.ts';
import { describe } from '../../http/errors.ts';
import type { Ports } from '../../ports/ports.ts';
import type { SetRecord } from '../../ports/sets.ts';
import { SET_USE_KEPT_SECONDS } from './limits.ts';

/** What a caller has of all tools. */
export type Has = Pick<Registry, 'tool' | 'toolsOf'>;

export interface ToolSets {
  /** The set that the person means: their own before that of the team. Null for a text that cannot be the name of a set. */
  find(userId: string, name: string): Promise<SetRecord | null>;
  /**
   * The tools of the set in its order. Left out are those that the caller does not have, and those that nobody has
   * accepted since they changed.
   */
  toolsOf(set: SetRecord, has: Has): readonly RegisteredTool[];
  /** Notes that somebody has called at the address of the set. The call does not wait for this write. */
  noteUse(set: SetRecord, caller: Pick<KnownCaller, 'userId' | 'actor'>): void;
}

/** The portal shows minutes. */
const USE_SECONDS = 60;
const MAX_USES = 10_000;
/** The sets of which one registry remembers the tools. */
const MAX_SETS = 1_000;

export function createToolSets({ clock, log, store }: Pick<Ports, 'clock' | 'log' | 'store'>): ToolSets {
  const found = createSharePerTick(clock, (key) => {
    const [userId = '', name = ''] = key.split('\n');
    return store.sets.find(userId, name);
  });
  const namesIn = rememberParsed((text) => parseTools(text));
  const uses = createLru<number>(MAX_USES);
  // A registry stays the same until an import changes.
  const known = new WeakMap<Has, Lru<{ version: string; tools: readonly RegisteredTool[] }>>();

  return {
    find: async (userId, name) => (SET_NAME.test(name) ? found.read(`${userId}\n${name}`) : null),

    toolsOf({ id, version, tools: text }, has) {
      const ofHas = known.get(has) ?? createLru(MAX_SETS);
      known.set(has, ofHas);
      const kept = ofHas.get(id);
      if (kept?.version === version) return kept.tools;
      const tools = namesIn(text).flatMap((name) => {
        const tool = has.tool(name);
        // What waits for a person is found by its name, and listed nowhere.
        return tool !== null && has.toolsOf(tool.integration).includes(tool.tool) ? [tool] : [];
      });
      ofHas.set(id, { version, tools }, 1);
      return tools;
    },

    noteUse({ id }, { userId, actor }) {
      const now = clock.now();
      const key = `${id}\n${userId}\n${actor.id}`;
      if (now - (uses.get(key) ?? 0) < USE_SECONDS) return;
      uses.set(key, now, 1);
      const use = {
        set_id: id,
        user_id: userId,
        caller: actor.id,
        caller_name: actor.name,
        last_used_at: now,
        expires_at: now + SET_USE_KEPT_SECONDS,
      };
      store.sets.noteUse(use).catch((error: unknown) => {
        log.write('warn', 'the use of a set was not noted', describe(error));
      });
    },
  };
}
