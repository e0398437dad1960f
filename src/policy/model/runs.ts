// Keeps the approved calls that run in this process alive in the store, so that a lost one is noticed. reference: Approvals
import { APPROVAL_RUN_BEAT_MS, APPROVAL_RUN_SECONDS } from './limits.ts';
import { describe } from '../../http/errors.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';

export interface Runs {
  /** Keeps the run of an approval alive until the returned function is called. */
  begin(approval: Pick<ApprovalRecord, 'id'>, run: string): () => void;
}

export function createRuns({ clock, log, store }: Pick<Ports, 'clock' | 'log' | 'store'>): Runs {
  /** Each run has a timer of its own: on the edge a timer ends with the request that made it. */
  async function keepAlive(id: string, run: string, ended: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(APPROVAL_RUN_BEAT_MS, ended);
      if (ended.aborted) return;
      try {
        await store.approvals.keepRunning(id, run, clock.now() + APPROVAL_RUN_SECONDS);
      } catch (error) {
        log.write('error', 'an approved call was not kept alive', describe(error));
      }
    }
  }

  return {
    begin({ id }, run) {
      const ended = new AbortController();
      void keepAlive(id, run, ended.signal);
      return () => ended.abort();
    },
  };
}
