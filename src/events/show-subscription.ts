// Says how a subscription is: whether something comes, and whether it goes on to where its person wants it. reference: Event subscriptions
import type { OutboxAddress } from '../kit/outbox.ts';
import type { EventKind, EventPoller, EventSubscription } from '../ports/events.ts';
import type { Kept } from './kept.ts';
import { STALLED_INTERVALS } from './limits.ts';

export interface ShownSubscription {
  id: string;
  integration: string;
  event: string;
  kind: EventKind;
  account: string | null;
  createdAt: number;
  state: 'ok' | 'waiting' | 'asked' | 'failing' | 'stalled' | 'ended';
  /** Why it is as it is. */
  problem: string | null;
  lastDelivery: number | null;
  lastRun: number | null;
  nextRun: number | null;
  /** The seconds that its next run is late. */
  lag: number;
  failures: number;
  /** Whether the service made the webhook by itself. */
  registered: boolean;
  /** The question that a person has to answer before the service is asked for the webhook. */
  approval: string | null;
  filter: string | null;
  /** What it was made with, without secrets. */
  args: Record<string, unknown>;
  /** The name of the key or client that has subscribed, or its kind where it has none. */
  by: string;
  /** The address of the person that its events go on to. */
  deliverTo: OutboxAddress | null;
}

interface Parts {
  row: EventSubscription;
  poller?: EventPoller | null | undefined;
  kept: Kept | null;
  deliverTo?: OutboxAddress | null | undefined;
}

export function showSubscription(
  now: number,
  { row, kept, deliverTo = null, ...rest }: Parts,
): ShownSubscription {
  // A webhook that waits for a yes is looked after in the same way, but does not run.
  const poller = row.kind === 'webhook' ? null : (rest.poller ?? null);
  const lag = poller === null ? 0 : Math.max(0, now - poller.next_run);
  const { state, problem } = healthOf(row, poller, kept, lag);
  return {
    id: row.id,
    integration: row.integration,
    event: row.event,
    kind: row.kind,
    account: row.account,
    createdAt: row.created_at,
    state,
    problem,
    lastDelivery: row.delivered_at,
    lastRun: poller?.last_run ?? null,
    nextRun: poller?.next_run ?? null,
    lag,
    failures: poller?.failures ?? 0,
    registered: kept?.registered !== undefined,
    approval: kept?.waiting?.approval ?? null,
    filter: kept?.filter ?? null,
    args: kept?.args ?? {},
    by: kept?.actor.name ?? row.caller.split(':')[0] ?? row.caller,
    deliverTo,
  };
}

function healthOf(
  row: EventSubscription,
  poller: EventPoller | null,
  kept: Kept | null,
  lag: number,
): Pick<ShownSubscription, 'state' | 'problem'> {
  if (row.ended !== null) return { state: 'ended', problem: row.ended };
  const refusal = (row.refused_at ?? -1) > (row.delivered_at ?? -1) ? row.refused : null;
  const problem = poller?.error ?? refusal;
  if (poller !== null && lag >= (STALLED_INTERVALS - 1) * poller.every)
    return { state: 'stalled', problem: problem ?? 'It was not run for three intervals' };
  if (kept?.waiting !== undefined)
    return { state: 'asked', problem: 'The service is asked for the webhook when you have said yes' };
  if ((poller?.failures ?? 0) > 0 || refusal !== null) return { state: 'failing', problem };
  if (row.delivered_at === null && row.kind === 'webhook') return { state: 'waiting', problem };
  return { state: 'ok', problem };
}
