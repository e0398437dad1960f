// Makes and stores the rows of a subscription.
import type { Seal } from '../crypto/seal.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { EventKind, EventPoller, EventSubscription } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { type Kept, sealKept } from './kept.ts';
import { SUBSCRIPTIONS_PER_PERSON } from './limits.ts';
import { EventRefused } from './refused.ts';

export interface Wanted {
  integration: string;
  event?: string | undefined;
  account?: string | undefined;
  filter?: string | undefined;
  args?: Record<string, unknown> | undefined;
}

export interface NewParts {
  args: Record<string, unknown>;
  secrets: string[];
  address: string | null;
}

type Needs = Pick<Ports, 'clock' | 'random'> & { seal: Seal };

export async function newSubscription(
  { clock, random, seal }: Needs,
  { userId, actor }: KnownCaller,
  kind: EventKind,
  { integration, event, account, filter }: Wanted & { event: string },
  { args, secrets, address }: NewParts,
): Promise<{ row: EventSubscription; kept: Kept }> {
  const id = random.uuid();
  const kept: Kept = {
    actor,
    args,
    secrets: secrets.map((text) => ({ text })),
    ...(filter === undefined ? {} : { filter }),
  };
  const row: EventSubscription = {
    id,
    user_id: userId,
    caller: actor.id,
    kind,
    integration,
    event,
    account: account ?? null,
    address,
    ended: null,
    created_at: clock.now(),
    delivered_at: null,
    refused_at: null,
    refused: null,
    sealed: await sealKept(seal, { user_id: userId, id }, kept),
  };
  return { row, kept };
}

export const newPoller = (
  { id, user_id }: Pick<EventSubscription, 'id' | 'user_id'>,
  every: number,
  next_run: number,
): EventPoller => ({
  subscription_id: id,
  user_id,
  every,
  next_run,
  holder: null,
  lease_until: null,
  run: null,
  last_run: null,
  failures: 0,
  error: null,
  cursor: null,
});

export async function keepNew(
  { store }: Pick<Ports, 'store'>,
  row: EventSubscription,
  poller: EventPoller | null,
): Promise<void> {
  const stored = await store.events.subscribe(row, poller, SUBSCRIPTIONS_PER_PERSON);
  if (stored === 'full')
    throw new EventRefused(
      'FULL',
      `You have ${SUBSCRIPTIONS_PER_PERSON} subscriptions of this kind. End one first`,
    );
  if (stored === 'gone') throw new EventRefused('NOT_FOUND', 'There is no such person');
}
