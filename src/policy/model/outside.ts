// Remembers which callers have read content from outside, and decides about the calls that follow. decision: 063
import type { Identity } from '../../kit/actor.ts';
import { createLru } from '../../memory/lru.ts';
import type { Ports } from '../../ports/ports.ts';
import { stricter } from './rules.ts';
import type { Decisions, Permissions, Verdict } from './permissions.ts';

export interface Outside {
  /** Notes the read before its answer is given, for every process. Notes nothing where no rule asks. */
  note(identity: Identity, permissions: Pick<Permissions, 'afterOutside'>, tool: string): Promise<void>;
  /**
   * Decides about a call, also by what its caller has read. Asks the store only where a read would change the decision. `place`
   * has the reads before the call that run at the same time.
   */
  judge(
    identity: Identity,
    permissions: Permissions,
    decide: (by: Decisions) => Verdict,
    place?: { before(): Promise<string | null> },
  ): Verdict | Promise<Verdict>;
}

interface Read {
  tool: string;
  at: number;
  /** When the row was written. A later read within a few seconds is not written again. */
  stored: number;
}

const MAX_CALLERS = 10_000;
/** The row holds this much longer than its read, so that it covers the reads that are not written. */
const SLACK_SECONDS = 15;

export function createOutside({ clock, config, store }: Pick<Ports, 'clock' | 'config' | 'store'>): Outside {
  const reads = createLru<Read>(MAX_CALLERS);
  const window = config.OUTSIDE_MINUTES * 60;
  const keyOf = ({ userId, actor }: Identity) => `${userId}\n${actor.id}`;

  async function lastOf(identity: Identity): Promise<Pick<Read, 'tool' | 'at'> | null> {
    const now = clock.now();
    const own = reads.get(keyOf(identity));
    if (own !== undefined && own.at + window > now) return own;
    const row = await store.outsideReads.last(identity.userId, identity.actor.id);
    return row === null || row.expires_at <= now ? null : { tool: row.tool, at: row.read_at };
  }

  /** Says why a call follows content from outside. Null where it follows none. */
  async function reasonOf(
    identity: Identity,
    place: { before(): Promise<string | null> } | undefined,
  ): Promise<string | null> {
    const ahead = (await place?.before()) ?? null;
    if (ahead !== null) return `${ahead} is read before it`;
    const read = await lastOf(identity);
    return read === null ? null : sayRead(read, clock.now());
  }

  return {
    async note(identity, { afterOutside }, tool) {
      if (afterOutside === null) return;
      const key = keyOf(identity);
      const now = clock.now();
      const known = reads.get(key);
      if (known !== undefined && now - known.stored < SLACK_SECONDS && now >= known.stored) {
        reads.set(key, { ...known, tool, at: now }, 1);
        return;
      }
      await store.outsideReads.note({
        user_id: identity.userId,
        caller: identity.actor.id,
        tool,
        read_at: now,
        expires_at: now + window + SLACK_SECONDS,
      });
      reads.set(key, { tool, at: now, stored: now }, 1);
    },

    judge(identity, permissions, decide, place) {
      const usual = decide(permissions);
      if (permissions.afterOutside === null || usual.decision === 'block') return usual;
      const after = decide(permissions.afterOutside);
      if (stricter(usual.decision, after.decision) === usual.decision) return usual;
      return reasonOf(identity, place).then((because) => (because === null ? usual : { ...after, because }));
    },
  };
}

function sayRead({ tool, at }: Pick<Read, 'tool' | 'at'>, now: number): string {
  const seconds = Math.max(0, now - at);
  const ago = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  return `${tool} was read ${ago} ago`;
}
