// Subscribes people to events, and tells how their subscriptions are. reference: Event subscriptions
import type { Seal } from '../crypto/seal.ts';
import { compileSelect, SelectError } from '../json/select.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { Outbox, OutboxAddress } from '../kit/outbox.ts';
import type { Registry } from '../kit/registry.ts';
import { describeIssues } from '../kit/validation.ts';
import type { EventSubscription } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { type EventSource, eventSources, type EventType, eventTypes } from './event-types.ts';
import { secretOf } from './hook-secrets.ts';
import type { HookSubscriptions } from './hook-subscriptions.ts';
import { openKept, sealKept } from './kept.ts';
import { OLD_SECRET_SECONDS } from './limits.ts';
import { keepNew, newPoller, newSubscription, type Wanted } from './new-subscription.ts';
import { recipeOf } from './recipes.ts';
import { EventRefused } from './refused.ts';
import type { EventRuns } from './runs.ts';
import { readSchedule, ScheduleArguments, ScheduleError } from './scheduling.ts';
import { showSubscription, type ShownSubscription } from './show-subscription.ts';
import { type Watch, WatchArguments } from './watching.ts';

export interface Subscribed {
  id: string;
  subscription: ShownSubscription;
  /** Where to send, and the secret. They are shown once. */
  address?: string;
  secret?: string;
  /** What is left to do. */
  next?: string;
  items?: number;
}

export interface Subscriptions {
  types(): EventType[];
  sources(): EventSource[];
  subscribe(caller: KnownCaller, wanted: Wanted): Promise<Subscribed>;
  list(userId: string): Promise<ShownSubscription[]>;
  unsubscribe(caller: KnownCaller, id: string): Promise<{ removed: true; next?: string }>;
  /** Sets the secret of the sender, or makes a new one. The old one is taken for a day. */
  setSecret(userId: string, id: string, given: string | undefined): Promise<{ secret: string | null }>;
}

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & {
  eventRuns: EventRuns;
  hookSubscriptions: HookSubscriptions;
  outbox: Pick<Outbox, 'list' | 'remove'>;
  registry: Registry;
  seal: Seal;
  watchTool: Watch;
};

export function createSubscriptions(deps: Needs): Subscriptions {
  const { clock, eventRuns, hookSubscriptions, outbox, random, registry, seal, store, watchTool } = deps;

  async function subscribeToWatch(caller: KnownCaller, wanted: Wanted): Promise<Subscribed> {
    const parsed = WatchArguments.safeParse(wanted.args ?? {});
    if (!parsed.success) throw new EventRefused('WRONG', `args: ${describeIssues(parsed.error)}`);
    const args = parsed.data;
    await compileSelect(args.items);
    await compileSelect(args.id);
    // What cannot be read now is told now.
    const first = await watchTool(caller, args, wanted.account ?? null, null);
    if (first.kind !== 'found') throw new EventRefused('WRONG', first.message);
    const named = { ...wanted, event: wanted.event ?? args.tool };
    const { row, kept } = await newSubscription(deps, caller, 'watch', named, {
      args,
      secrets: [],
      address: null,
    });
    const poller = newPoller(row, args.every, clock.now());
    await keepNew(deps, row, poller);
    await eventRuns.run(row.id);
    const after = (await store.events.poller(row.id)) ?? poller;
    return {
      id: row.id,
      subscription: showSubscription(clock.now(), { row, poller: after, kept }),
      items: first.items.length,
    };
  }

  async function subscribeToSchedule(caller: KnownCaller, wanted: Wanted): Promise<Subscribed> {
    const parsed = ScheduleArguments.safeParse(wanted.args ?? {});
    if (!parsed.success) throw new EventRefused('WRONG', `args: ${describeIssues(parsed.error)}`);
    const schedule = await readSchedule(parsed.data);
    const now = clock.now();
    const next = schedule.after(now);
    if (next === null) throw new EventRefused('WRONG', 'cron: there is no such time');
    const following = schedule.after(next) ?? next;
    const named = { ...wanted, event: wanted.event ?? 'due' };
    const { row, kept } = await newSubscription(deps, caller, 'schedule', named, {
      args: parsed.data,
      secrets: [],
      address: null,
    });
    const poller = newPoller(row, Math.max(60, following - next), next);
    await keepNew(deps, row, poller);
    eventRuns.expect(poller);
    return { id: row.id, subscription: showSubscription(now, { row, poller, kept }) };
  }

  async function subscribeToHook(caller: KnownCaller, wanted: Wanted): Promise<Subscribed> {
    const { row, kept, ...told } = await hookSubscriptions.subscribe(caller, wanted);
    return { id: row.id, subscription: showSubscription(clock.now(), { row, kept }), ...told };
  }

  async function requireRow(userId: string, id: string): Promise<EventSubscription> {
    const row = await store.events.get(userId, id);
    if (row === null) throw new EventRefused('NOT_FOUND', `You have no subscription "${id}"`);
    return row;
  }

  return {
    types: () => eventTypes(registry),
    sources: () => eventSources(registry),

    async subscribe(caller, wanted) {
      try {
        if (wanted.filter !== undefined) await compileSelect(wanted.filter);
        switch (wanted.integration) {
          case 'watch':
            return await subscribeToWatch(caller, wanted);
          case 'schedule':
            return await subscribeToSchedule(caller, wanted);
          default:
            return await subscribeToHook(caller, wanted);
        }
      } catch (error) {
        if (error instanceof SelectError || error instanceof ScheduleError)
          throw new EventRefused('WRONG', error.message);
        throw error;
      }
    },

    async list(userId) {
      const [rows, pollers, forwards] = await Promise.all([
        store.events.list(userId),
        store.events.pollers(userId),
        store.eventForwards.list(userId),
      ]);
      const pollerOf = new Map(pollers.map((poller) => [poller.subscription_id, poller]));
      const addresses = forwards.length === 0 ? [] : await outbox.list(userId);
      const addressOf = new Map<string, OutboxAddress | undefined>(
        forwards.map(({ subscription_id, destination }) => [
          subscription_id,
          addresses.find(({ id }) => id === destination),
        ]),
      );
      const now = clock.now();
      return Promise.all(
        rows.map(async (row) =>
          showSubscription(now, {
            row,
            poller: pollerOf.get(row.id),
            kept: await openKept(seal, row),
            deliverTo: addressOf.get(row.id),
          }),
        ),
      );
    },

    async unsubscribe(caller, id) {
      const { userId } = caller;
      const row = await requireRow(userId, id);
      const next =
        row.kind === 'webhook'
          ? await hookSubscriptions.remove(caller, row, await openKept(seal, row))
          : null;
      const forwards = await store.eventForwards.list(userId);
      await store.events.remove(userId, id);
      const own = forwards.find(({ subscription_id: of }) => of === id);
      // What waits for an address that others use as well is sent.
      if (own !== undefined && forwards.every((each) => each === own || each.destination !== own.destination))
        await outbox.remove(userId, own.destination);
      return { removed: true, ...(next === null ? {} : { next }) };
    },

    async setSecret(userId, id, given) {
      const row = await requireRow(userId, id);
      const kept = await openKept(seal, row);
      const recipe = recipeOf(registry, row);
      if (kept === null || recipe === null)
        throw new EventRefused('WRONG', 'This subscription has no secret');
      const { secret, isOurs } = secretOf(random, recipe, given);
      if (secret === null)
        throw new EventRefused('WRONG', 'The service makes this secret. Copy it from there');
      const now = clock.now();
      const old = kept.secrets
        .filter(({ until = Infinity }) => until > now)
        .map(({ text, until = now + OLD_SECRET_SECONDS }) => ({ text, until }))
        .slice(0, 3);
      const next = await sealKept(seal, row, { ...kept, secrets: [{ text: secret }, ...old] });
      if (!(await store.events.swapSealed(id, row.sealed, next)))
        throw new EventRefused('NOT_DONE', 'Somebody else is changing this subscription. Try again');
      return { secret: isOurs ? secret : null };
    },
  };
}
