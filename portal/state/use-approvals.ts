// Loads the calls that wait for the person's approval. The shell asks for them once for all parts of the portal.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Approval, fetchApprovals } from '../api/approvals.ts';
import { usePoll } from './use-poll.ts';
import { type Resource, useResource } from './use-resource.ts';

const POLL_MS = 5000;
const IDLE_MS = 20_000;
const HIDDEN_MS = 30_000;

export type Waiting = Resource<Approval[]>;

export const WaitingContext = createContext<Waiting | null>(null);

/** Returns the approvals that the shell has loaded. */
export function useWaiting(): Waiting {
  const waiting = useContext(WaitingContext);
  if (waiting === null) throw new TypeError('only pages inside the shell know the waiting approvals');
  return waiting;
}

/** Loads and polls the approvals. An agent may ask at any time, so this does not stop while the page is seen. */
export function useWaitingPoll(tellsHidden: () => boolean): Waiting {
  const waiting: Waiting = useResource('approvals waiting', async () =>
    reuse(await fetchApprovals(['pending']), waiting.data ?? []),
  );
  // A person who has turned on notifications is told while the portal is in a hidden tab too.
  const hiddenMs = () => (tellsHidden() ? HIDDEN_MS : undefined);
  usePoll(true, POLL_MS, waiting.look, { idleMs: IDLE_MS, hiddenMs });
  return waiting;
}

/** Keeps the objects of calls that still wait, so that unchanged rows need not be rendered again. */
function reuse(now: readonly Approval[], before: readonly Approval[]): Approval[] {
  const known = new Map(before.map((each) => [each.id, each]));
  return now.map((each) => {
    const same = known.get(each.id);
    return same?.args === null || same === undefined || each.args === null ? each : same;
  });
}
