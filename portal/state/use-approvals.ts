// Loads the calls that wait for the person's approval. The shell asks for them once for all parts of the portal.
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { type Approval, fetchApprovals } from '../api/approvals.ts';
import { type Resource, useResource } from './use-resource.ts';

const POLL_MS = 5000;
/** Only every sixth look happens while nobody sees the page. */
const HIDDEN_LOOKS = 6;

export type Waiting = Resource<Approval[]>;

export const WaitingContext = createContext<Waiting | null>(null);

/** Returns the approvals that the shell has loaded. */
export function useWaiting(): Waiting {
  const waiting = useContext(WaitingContext);
  if (waiting === null) throw new TypeError('only pages inside the shell know the waiting approvals');
  return waiting;
}

/** Loads and polls the approvals. An agent may ask at any time, so this never stops. */
export function useWaitingPoll(): Waiting {
  const waiting: Waiting = useResource('approvals waiting', async () =>
    reuse(await fetchApprovals(['pending']), waiting.data ?? []),
  );
  useEffect(() => {
    let looks = 0;
    const ifDue = () => {
      looks += 1;
      if (document.visibilityState === 'visible' || looks % HIDDEN_LOOKS === 0) waiting.look();
    };
    const timer = setInterval(ifDue, POLL_MS);
    document.addEventListener('visibilitychange', ifDue);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ifDue);
    };
  }, []);
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
