// Waits until a person has decided, so that a client need not ask again and again. reference: Approvals
import { APPROVAL_POLL_MS } from './limits.ts';
import type { Ports } from '../../ports/ports.ts';
import { isOver } from './open-approval.ts';

/** Resolves when no question of the person waits or runs any more, after the time, or when the signal aborts. */
export type WaitForDecisions = (
  userId: string,
  ids: readonly string[],
  milliseconds: number,
  signal?: AbortSignal,
) => Promise<void>;

export function createWaitForDecisions({ clock, store }: Pick<Ports, 'clock' | 'store'>): WaitForDecisions {
  /** A repeat of a call that runs already would only be asked about again. */
  async function isOpen(userId: string, id: string): Promise<boolean> {
    const row = await store.approvals.get(userId, id);
    const waits = row?.state === 'pending' || row?.state === 'running';
    return waits && !isOver(row, clock.now());
  }

  return async function wait(userId, ids, milliseconds, signal) {
    const deadline = clock.millis() + milliseconds;
    const hasEnded = () => signal?.aborted === true || clock.millis() >= deadline;
    for (const id of ids)
      while (!hasEnded() && (await isOpen(userId, id))) await clock.sleep(APPROVAL_POLL_MS, signal);
  };
}
