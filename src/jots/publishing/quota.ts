// Bounds the jots of one person in number and bytes, with what waits for the sweep and what is being uploaded. reference: Limits per person; decision: 047
import type { Config } from '../../config/config.ts';
import { JOT_VERSIONS_PART } from '../model/limits.ts';
import { showBytes } from '../../kit/binary.ts';
import type { Clock } from '../../ports/clock.ts';
import { createFairQueue } from '../../memory/fair-queue.ts';
import { JotRefused } from '../model/jot-refused.ts';
import type { JotRecords } from '../model/jot-records.ts';
import { weigh } from './leftover.ts';

export interface JotQuota {
  /** Throws a JotRefused when the person has no room for this jot, before anything is uploaded. */
  check(userId: string, isNew: boolean): Promise<void>;
  /** Opens the share of one deploy, which counts until it is closed. */
  open(userId: string, isNew: boolean): Promise<QuotaShare>;
  /** Returns what the earlier versions of a jot may take, when the live version of it weighs this much. */
  roomForVersions(userId: string, name: string, weight: number): Promise<number>;
  /** What the person's jots take of the limits, with what waits for the sweep. */
  used(userId: string): Promise<{ jots: number; bytes: number }>;
}

export interface QuotaShare {
  /** Counts a file before it is stored. Throws a JotRefused when there is no room for it. */
  add(bytes: number): void;
  /** Writes if the deploy still fits. Throws a JotRefused otherwise. */
  commit(makesJot: boolean, write: () => Promise<boolean>): Promise<boolean>;
  close(): void;
}

interface Usage {
  jots: number;
  live: number;
  waiting: number;
}

type Limits = Pick<Config, 'PERSON_MAX_JOTS' | 'PERSON_MAX_JOT_BYTES'>;

export function createJotQuota({
  config: { PERSON_MAX_JOTS: maxJots, PERSON_MAX_JOT_BYTES: maxBytes },
  clock,
  records,
}: {
  config: Limits;
  clock: Clock;
  records: JotRecords;
}): JotQuota {
  /** The bytes that the deploys of each person in this process have stored and not committed. */
  const running = new Map<string, number>();
  const commits = createFairQueue({ maxRunning: Infinity, maxWaitingPerOwner: Infinity });

  async function readUsage(userId: string): Promise<Usage> {
    const [jots, waiting] = await Promise.all([
      records.list(userId),
      records.leftoverBytes(userId, clock.now()),
    ]);
    let live = 0;
    for (const jot of jots) live += weigh(jot.files, jot.bytes) + jot.held_bytes;
    return { jots: jots.length, live, waiting };
  }

  function refuseTooMany(jots: number): void {
    if (jots > maxJots)
      throw new JotRefused('JOT_QUOTA', `You may have ${maxJots} jots. Delete one that you no longer need`);
  }

  function refuseTooLarge({ live, waiting }: Usage, added: number): void {
    if (live + waiting + added <= maxBytes) return;
    const used = `Your jots take ${showBytes(live)} of ${showBytes(maxBytes)}`;
    throw new JotRefused(
      'JOT_QUOTA',
      waiting === 0
        ? `${used}, and this one does not fit. Delete some that you no longer need; their space is free within a day`
        : `${used}, and deleted or replaced files that are removed within a day take ${showBytes(waiting)}. Delete jots that you no longer need, or try again later`,
    );
  }

  return {
    async check(userId, isNew) {
      const usage = await readUsage(userId);
      if (isNew) refuseTooMany(usage.jots + 1);
      refuseTooLarge(usage, 1);
    },

    // Half of what is free stays free, so that earlier versions are the first to make room.
    async roomForVersions(userId, name, weight) {
      const [jots, waiting] = await Promise.all([
        records.list(userId),
        records.leftoverBytes(userId, clock.now()),
      ]);
      let live = weight;
      let held = 0;
      for (const jot of jots) {
        if (jot.name === name) continue;
        live += weigh(jot.files, jot.bytes);
        held += jot.held_bytes;
      }
      const free = (maxBytes - live - held - waiting) / 2;
      return Math.max(0, Math.min(maxBytes * JOT_VERSIONS_PART - held, free));
    },

    async used(userId) {
      const { jots, live, waiting } = await readUsage(userId);
      return { jots, bytes: live + waiting };
    },

    async open(userId, isNew) {
      const usage = await readUsage(userId);
      if (isNew) refuseTooMany(usage.jots + 1);
      let own = 0;
      const close = (): void => {
        const bytes = (running.get(userId) ?? 0) - own;
        own = 0;
        if (bytes > 0) running.set(userId, bytes);
        else running.delete(userId);
      };
      return {
        add(bytes) {
          const weight = weigh(1, bytes);
          const all = (running.get(userId) ?? 0) + weight;
          refuseTooLarge(usage, all);
          own += weight;
          running.set(userId, all);
        },
        // The commits of one person wait for each other: each finds the bytes of another deploy in the store or in `running`.
        commit: (makesJot, write) =>
          commits.run(userId, async () => {
            const now = await readUsage(userId);
            if (makesJot) refuseTooMany(now.jots + 1);
            if (own > 0) refuseTooLarge(now, running.get(userId) ?? 0);
            const written = await write();
            if (written) close();
            return written;
          }),
        close,
      };
    },
  };
}
