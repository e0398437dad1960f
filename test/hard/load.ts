// Runs callers that never pause, and counts how their calls end.
import { percentile } from './figures.ts';

export interface Tally {
  statuses: Map<string, number>;
  milliseconds: number[];
}

export interface Load {
  /** Returns the tally so far and starts a new one. */
  take(): Tally;
  stop(): Promise<void>;
}

/** Counts each call under its status, or under `cut` when the connection breaks. */
export function startLoad(callers: number, call: () => Promise<Response>): Load {
  let tally: Tally = { statuses: new Map(), milliseconds: [] };
  let over = false;

  async function callOnAndOn(): Promise<void> {
    while (!over) {
      const begun = performance.now();
      const outcome = await statusOf(call);
      tally.milliseconds.push(performance.now() - begun);
      tally.statuses.set(outcome, (tally.statuses.get(outcome) ?? 0) + 1);
      // Without this pause a call that fails at once would repeat in a tight loop.
      if (outcome === 'cut') await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  const running = Array.from({ length: callers }, callOnAndOn);
  return {
    take() {
      const taken = tally;
      tally = { statuses: new Map(), milliseconds: [] };
      return taken;
    },
    async stop() {
      over = true;
      await Promise.all(running);
    },
  };
}

async function statusOf(call: () => Promise<Response>): Promise<string> {
  try {
    const response = await call();
    await response.arrayBuffer();
    return String(response.status);
  } catch {
    return 'cut';
  }
}

export function shown({ statuses, milliseconds }: Tally): string {
  const counts = [...statuses].map(([status, count]) => `${status} × ${count}`).toSorted();
  return `${counts.join(', ')}; p50 ${percentile(milliseconds, 0.5)} ms, p99 ${percentile(milliseconds, 0.99)} ms`;
}

export const only = ({ statuses }: Tally, ...allowed: string[]): boolean =>
  statuses.size > 0 && [...statuses.keys()].every((status) => allowed.includes(status));
