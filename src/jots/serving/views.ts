// Counts the views of jots in memory, and writes the counts in batches. decision: 047
import { describe } from '../../http/errors.ts';
import { JOT_VIEW_DAYS, JOT_VIEWS_FLUSH_SECONDS } from '../model/limits.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Jot } from '../../ports/records.ts';
import type { JotViews } from '../../ports/store.ts';

const DAY = 86_400;
/** Bounds the memory when the store does not answer. Further jots are not counted before the next flush. */
const MAX_ENTRIES = 10_000;

/** The counts that wait for their write. Several gateways of one process may share them. */
export interface WaitingViews {
  entries: Map<string, JotViews>;
  flushedAt: number;
}

export const createWaitingViews = ({ clock }: Pick<Ports, 'clock'>): WaitingViews => ({
  entries: new Map(),
  flushedAt: clock.now(),
});

export interface Views {
  /** Counts a page that was sent to a reader. */
  count(jot: Pick<Jot, 'name' | 'created_at'>, contentType: string | null | undefined): void;
  /** Writes what was counted. What cannot be written waits for the next flush. */
  flush(): Promise<void>;
  /** Flushes if the last flush is a minute ago: for a platform without timers. */
  flushIfDue(): Promise<void>;
}

export function createViews({
  clock,
  log,
  store,
  waitingViews: waiting,
}: Pick<Ports, 'clock' | 'log' | 'store'> & { waitingViews: WaitingViews }): Views {
  function add(views: JotViews): void {
    const { entries } = waiting;
    const key = `${views.name} ${views.created_at} ${views.until}`;
    const entry = entries.get(key);
    if (entry !== undefined) entry.views += views.views;
    else if (entries.size < MAX_ENTRIES) entries.set(key, views);
  }

  async function flush(): Promise<void> {
    waiting.flushedAt = clock.now();
    const counted = [...waiting.entries.values()];
    waiting.entries.clear();
    for (const [at, views] of counted.entries()) {
      try {
        await store.jots.addViews(views);
      } catch (error) {
        for (const unwritten of counted.slice(at)) add(unwritten);
        log.write('warn', 'views of jots wait for the next write', describe(error));
        return;
      }
    }
  }

  return {
    count({ name, created_at }, contentType) {
      if (contentType?.startsWith('text/html') !== true) return;
      const until = (Math.floor(clock.now() / DAY) + JOT_VIEW_DAYS) * DAY;
      add({ name, created_at, views: 1, until });
    },
    flush,
    async flushIfDue() {
      if (waiting.entries.size > 0 && clock.now() - waiting.flushedAt >= JOT_VIEWS_FLUSH_SECONDS)
        await flush();
    },
  };
}
