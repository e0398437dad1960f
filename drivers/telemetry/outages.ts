// Writes one line when a collector stops taking what is sent, and one when it takes it again.
import type { Log } from '../../src/ports/log.ts';

export type Signal = 'traces' | 'metrics';

export interface Outages {
  /** `reason` is a status or one of a few words, never text of the collector. */
  failed(signal: Signal, reason: string): void;
  delivered(signal: Signal): void;
  /** A span that found no space in the queue. */
  dropped(): void;
}

export function createOutages(log: Log): Outages {
  const down = new Set<Signal>();
  let dropped = 0;

  function failed(signal: Signal, reason: string): void {
    if (down.has(signal)) return;
    down.add(signal);
    log.write('warn', 'telemetry is not delivered', { signal, reason });
  }

  return {
    failed,
    delivered(signal) {
      if (!down.delete(signal)) return;
      log.write('info', 'telemetry is delivered again', { signal, droppedSpans: dropped });
      if (signal === 'traces') dropped = 0;
    },
    dropped() {
      dropped++;
      // A queue fills up before the first failure when the collector answers slowly.
      failed('traces', 'queue full');
    },
  };
}
