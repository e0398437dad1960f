// Keeps what runs in this process alive in the store, so that a lost run is noticed.
import { describe } from '../http/errors.ts';
import type { Ports } from '../ports/ports.ts';

/** Calls `beat` again and again until the returned function is called. A failure is logged with these words. */
export type KeepAlive = (beatMs: number, beat: () => Promise<void>, failed: string) => () => void;

export function createKeepAlive({ clock, log }: Pick<Ports, 'clock' | 'log'>): KeepAlive {
  /** Each run has a timer of its own: on the edge a timer ends with the request that made it. */
  async function keep(beatMs: number, beat: () => Promise<void>, failed: string, ended: AbortSignal) {
    for (;;) {
      await clock.sleep(beatMs, ended);
      if (ended.aborted) return;
      try {
        await beat();
      } catch (error) {
        log.write('error', failed, describe(error));
      }
    }
  }

  return function keepAlive(beatMs, beat, failed) {
    const ended = new AbortController();
    void keep(beatMs, beat, failed, ended.signal);
    return () => ended.abort();
  };
}
