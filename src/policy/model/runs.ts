// Keeps the approved calls that run in this process alive in the store, so that a lost one is noticed. reference: Approvals
import { createKeepAlive } from '../../kit/keep-alive.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import { APPROVAL_RUN_BEAT_MS, APPROVAL_RUN_SECONDS } from './limits.ts';

export interface Runs {
  /** Keeps the run of an approval alive until the returned function is called. */
  begin(approval: Pick<ApprovalRecord, 'id'>, run: string): () => void;
}

export function createRuns({ clock, log, store }: Pick<Ports, 'clock' | 'log' | 'store'>): Runs {
  const keepAlive = createKeepAlive({ clock, log });
  return {
    begin: ({ id }, run) =>
      keepAlive(
        APPROVAL_RUN_BEAT_MS,
        () => store.approvals.keepRunning(id, run, clock.now() + APPROVAL_RUN_SECONDS),
        'an approved call was not kept alive',
      ),
  };
}
