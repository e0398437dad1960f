// Subscribes people to events, and tells how their subscriptions are. reference: Event subscriptions
import type { Outcome } from '../calls/outcome.ts';
import { toExecutionResult } from '../calls/execution-result.ts';
import type { Config } from '../config/config.ts';
import type { Seal } from '../crypto/seal.ts';
import { base64url } from 'jose';
import { compileSelect, SelectError } from '../json/select.ts';
import type { HookRecipe } from '../kit/hooks.ts';
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { Registry } from '../kit/registry.ts';
import { describeIssues } from '../kit/validation.ts';
import type { EventKind, EventPoller, EventSubscription } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { GENERIC, genericHooks } from './generic-hooks.ts';
import { type Kept, openKept, sealKept } from './kept.ts';
import { OLD_SECRET_SECONDS, STALLED_INTERVALS, SUBSCRIPTIONS_PER_PERSON } from './limits.ts';
import { recipeOf } from './recipes.ts';
import type { Registrations } from './registration.ts';
import type { EventRuns } from './runs.ts';
import { readSchedule, ScheduleArguments, ScheduleError } from './scheduling.ts';
import { type Watch, WatchArguments } from './watching.ts';

export interface Wanted {
  integration: string;
  event?: string | undefined;
  account?: string | undefined;
  filter?: string | undefined;
  args?: Record<string, unknown> | undefined;
}

export interface ShownSubscription {
  id: string;
  integration: string;
  event: string;
  kind: EventKind;
  account: string | null;
  createdAt: number;
  state: 'ok' | 'waiting' | 'failing' | 'stalled' | 'ended';
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
}

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

/** A refusal that says to a person what to do. */
export class EventRefused extends Error {
  readonly reason: 'WRONG' | 'FULL' | 'NOT_FOUND' | 'NOT_DONE';
  constructor(reason: 'WRONG' | 'FULL' | 'NOT_FOUND' | 'NOT_DONE', message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Subscriptions {
  types(): Promise<{ integration: string; event: string; about: string }[]>;
  subscribe(caller: KnownCaller, wanted: Wanted): Promise<Subscribed>;
  list(userId: string): Promise<ShownSubscription[]>;
  unsubscribe(caller: KnownCaller, id: string): Promise<{ removed: true; next?: string }>;
  /** Sets the secret of the sender, or makes a new one. The old one is taken for a day. */
  setSecret(userId: string, id: string, given: string | undefined): Promise<{ secret: string | null }>;
  /** What the first run of a watch would find, or what a delivery looks like. Nothing is stored. */
  sample(caller: KnownCaller, wanted: Wanted): Promise<{ items: unknown[]; ids: string[] }>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> & {
  config: Config;
  eventRuns: EventRuns;
  hookRegistrations: Registrations;
  registry: Registry;
  seal: Seal;
  watchTool: Watch;
};

const SAMPLE_ITEMS = 5;
const nobody = async () => () => [];

export function createSubscriptions(deps: Needs): Subscriptions {
  const {
    clock,
    config,
    digest,
    eventRuns,
    hookRegistrations,
    random,
    registry,
    seal,
    store,
    watchTool: watch,
  } = deps;

  const randomText = () => base64url.encode(random.bytes(32));
  const addressOf = (token: string) => `${config.SERVER_PUBLIC_URL}/hooks/${token}`;

  function show(
    row: EventSubscription,
    poller: EventPoller | undefined,
    kept: Kept | null,
  ): ShownSubscription {
    const now = clock.now();
    const lag = poller === undefined ? 0 : Math.max(0, now - poller.next_run);
    const isStalled = poller !== undefined && lag >= (STALLED_INTERVALS - 1) * poller.every;
    const refusal = (row.refused_at ?? -1) > (row.delivered_at ?? -1) ? row.refused : null;
    const problem = row.ended ?? poller?.error ?? refusal;
    const isFailing = (poller?.failures ?? 0) > 0 || refusal !== null;
    const state =
      row.ended !== null
        ? 'ended'
        : isStalled
          ? 'stalled'
          : isFailing
            ? 'failing'
            : row.delivered_at === null && row.kind === 'webhook'
              ? 'waiting'
              : 'ok';
    return {
      id: row.id,
      integration: row.integration,
      event: row.event,
      kind: row.kind,
      account: row.account,
      createdAt: row.created_at,
      state,
      problem: state === 'stalled' && problem === null ? 'It was not run for three intervals' : problem,
      lastDelivery: row.delivered_at,
      lastRun: poller?.last_run ?? null,
      nextRun: poller?.next_run ?? null,
      lag,
      failures: poller?.failures ?? 0,
      registered: kept?.registered !== undefined,
    };
  }

  async function keepNew(row: EventSubscription, poller: EventPoller | null): Promise<void> {
    const stored = await store.events.subscribe(row, poller, SUBSCRIPTIONS_PER_PERSON);
    if (stored === 'full')
      throw new EventRefused(
        'FULL',
        `You have ${SUBSCRIPTIONS_PER_PERSON} subscriptions of this kind. End one first`,
      );
    if (stored === 'gone') throw new EventRefused('NOT_FOUND', 'There is no such person');
  }

  async function newRow(
    { userId, actor }: KnownCaller,
    kind: EventKind,
    { integration, event, account, filter }: Wanted & { event: string },
    { args, secrets, address }: { args: Record<string, unknown>; secrets: string[]; address: string | null },
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

  function newPoller({ id, user_id }: EventSubscription, every: number, next_run: number): EventPoller {
    return {
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
    };
  }

  const readWatch = (args: unknown): WatchArguments => {
    const parsed = WatchArguments.safeParse(args);
    if (!parsed.success) throw new EventRefused('WRONG', `args: ${describeIssues(parsed.error)}`);
    return parsed.data;
  };

  async function subscribeToWatch(caller: KnownCaller, wanted: Wanted): Promise<Subscribed> {
    const args = readWatch(wanted.args ?? {});
    await compileSelect(args.items);
    await compileSelect(args.id);
    // What cannot be read now is told now.
    const first = await watch(caller, args, wanted.account ?? null, null);
    if (first.kind !== 'found') throw new EventRefused('WRONG', first.message);
    const event = wanted.event ?? args.tool;
    const { row } = await newRow(caller, 'watch', { ...wanted, event }, { args, secrets: [], address: null });
    const poller = newPoller(row, args.every, clock.now());
    await keepNew(row, poller);
    await eventRuns.run(row.id);
    const after = await store.events.poller(row.id);
    return { id: row.id, subscription: show(row, after ?? poller, null), items: first.items.length };
  }

  async function subscribeToSchedule(caller: KnownCaller, wanted: Wanted): Promise<Subscribed> {
    const parsed = ScheduleArguments.safeParse(wanted.args ?? {});
    if (!parsed.success) throw new EventRefused('WRONG', `args: ${describeIssues(parsed.error)}`);
    const schedule = await readSchedule(parsed.data);
    const now = clock.now();
    const next = schedule.after(now);
    if (next === null) throw new EventRefused('WRONG', 'cron: there is no such time');
    const following = schedule.after(next) ?? next;
    const { row } = await newRow(
      caller,
      'schedule',
      { ...wanted, event: wanted.event ?? 'due' },
      { args: parsed.data, secrets: [], address: null },
    );
    const poller = newPoller(row, Math.max(60, following - next), next);
    await keepNew(row, poller);
    eventRuns.expect(poller);
    return { id: row.id, subscription: show(row, poller, null) };
  }

  function secretOf(
    recipe: HookRecipe,
    args: Record<string, unknown>,
  ): { secret: string | null; isOurs: boolean } {
    const { secret: given } = args;
    if (typeof given === 'string' && given !== '') return { secret: given, isOurs: false };
    if (recipe.secret === 'theirs') return { secret: null, isOurs: false };
    const made =
      recipe.check.kind === 'hmac' && recipe.check.secretForm === 'whsec'
        ? `whsec_${btoa(String.fromCharCode(...random.bytes(32)))}`
        : randomText();
    return { secret: made, isOurs: true };
  }

  async function whyNot(outcome: Outcome): Promise<string> {
    const result = await toExecutionResult(outcome, nobody);
    if (!('error' in result)) return '';
    const link = result.approval === undefined ? '' : ` Approve it: ${result.approval.url}`;
    return `${result.message ?? result.error}${link}`;
  }

  async function subscribeToHook(caller: KnownCaller, wanted: Wanted): Promise<Subscribed> {
    const event = wanted.event ?? '*';
    const recipe = recipeOf(registry, { integration: wanted.integration, event });
    if (recipe === null)
      throw new EventRefused(
        'WRONG',
        `There are no events "${event}" of "${wanted.integration}". events_types lists what there is`,
      );
    const { secret: _, ...args } = wanted.args ?? {};
    const { secret, isOurs } = secretOf(recipe, wanted.args ?? {});
    const token = randomText();
    const address = addressOf(token);
    const { row, kept } = await newRow(
      caller,
      'webhook',
      { ...wanted, event },
      { args, secrets: secret === null ? [] : [secret], address: digest.sha256(token) },
    );
    await keepNew(row, null);
    const shown = (): Subscribed => ({
      id: row.id,
      subscription: show(row, undefined, kept),
      address,
      ...(isOurs && secret !== null ? { secret } : {}),
    });
    const byHand = (why: string): Subscribed => {
      const theirs =
        secret === null && recipe.handshake !== 'hook-secret'
          ? ' Then set the secret that the service shows, on the page Events of the portal.'
          : '';
      return { ...shown(), next: `${why}${recipe.setUp}${theirs} The address is shown only now.` };
    };
    const integration = registry.integration(wanted.integration);
    const how = recipe.registration;
    if (how === undefined || integration === null) return byHand('');
    if (config.loopback)
      return byHand(
        'The service cannot reach this gateway, because its address is on this machine. Give it a public SERVER_PUBLIC_URL, or forward deliveries with a tunnel. ',
      );
    const missing = Object.keys(how.args).filter((name) => args[name] === undefined);
    if (missing.length > 0)
      return byHand(
        `The gateway makes the webhook by itself when args names ${missing.join(', ')}. Otherwise: `,
      );
    const added = await hookRegistrations.add(caller, integration, how, wanted.account, {
      url: address,
      secret: secret ?? '',
      event: event.split('.')[0] ?? event,
      args,
    });
    if (
      added.outcome.kind === 'asked' ||
      added.outcome.kind === 'denied' ||
      added.outcome.kind === 'blocked'
    ) {
      await store.events.remove(row.user_id, row.id);
      throw new EventRefused('NOT_DONE', `The webhook was not made. ${await whyNot(added.outcome)}`);
    }
    if (added.outcome.kind !== 'success' || added.id === null)
      return byHand(`The webhook could not be made there (${await whyNot(added.outcome)}). By hand: `);
    const next: Kept = {
      ...kept,
      registered: added.id,
      ...(added.secret === null ? {} : { secrets: [{ text: added.secret }] }),
    };
    await store.events.swapSealed(row.id, row.sealed, await sealKept(seal, row, next));
    return { id: row.id, subscription: show(row, undefined, next) };
  }

  async function requireRow(userId: string, id: string): Promise<EventSubscription> {
    const row = await store.events.get(userId, id);
    if (row === null) throw new EventRefused('NOT_FOUND', `You have no subscription "${id}"`);
    return row;
  }

  return {
    async types() {
      const named = registry.integrations.flatMap(({ name, hooks }: Integration) =>
        hooks === undefined
          ? []
          : Object.entries(hooks.events).map(([event, about]) => ({ integration: name, event, about })),
      );
      const generic = Object.values(genericHooks).flatMap(({ events }) =>
        Object.entries(events).map(([event, about]) => ({ integration: GENERIC, event, about })),
      );
      return [
        ...named,
        ...generic,
        {
          integration: 'watch',
          event: '',
          about:
            'Any tool that reads, run again and again. args: {tool, args, items, id, every, changes}; items and id are JMESPath',
        },
        { integration: 'schedule', event: '', about: 'Points in time. args: {cron, timeZone, text}' },
      ];
    },

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
      const [rows, pollers] = await Promise.all([store.events.list(userId), store.events.pollers(userId)]);
      const byId = new Map(pollers.map((poller) => [poller.subscription_id, poller]));
      return Promise.all(rows.map(async (row) => show(row, byId.get(row.id), await openKept(seal, row))));
    },

    async unsubscribe(caller, id) {
      const row = await requireRow(caller.userId, id);
      const kept = await openKept(seal, row);
      const how = recipeOf(registry, row)?.registration;
      const integration = registry.integration(row.integration);
      let next: string | undefined;
      if (kept?.registered !== undefined && how !== undefined && integration !== null) {
        const outcome = await hookRegistrations.remove(caller, integration, how, row.account ?? undefined, {
          url: '',
          secret: '',
          event: row.event,
          args: kept.args,
          id: kept.registered,
        });
        if (outcome.kind === 'asked')
          throw new EventRefused('NOT_DONE', `The webhook was not removed. ${await whyNot(outcome)}`);
        if (outcome.kind !== 'success')
          next = `Remove the webhook ${kept.registered} at the service yourself: ${await whyNot(outcome)}`;
      } else if (row.kind === 'webhook') next = 'Remove the webhook at the service too.';
      await store.events.remove(caller.userId, id);
      return { removed: true, ...(next === undefined ? {} : { next }) };
    },

    async setSecret(userId, id, given) {
      const row = await requireRow(userId, id);
      const kept = await openKept(seal, row);
      const recipe = recipeOf(registry, row);
      if (kept === null || recipe === null)
        throw new EventRefused('WRONG', 'This subscription has no secret');
      const { secret, isOurs } = secretOf(recipe, { secret: given });
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

    async sample(caller, wanted) {
      if (wanted.integration !== 'watch') throw new EventRefused('WRONG', 'Only a watch can be tried');
      try {
        const first = await watch(caller, readWatch(wanted.args ?? {}), wanted.account ?? null, null);
        if (first.kind !== 'found') throw new EventRefused('WRONG', first.message);
        const some = first.items.slice(0, SAMPLE_ITEMS);
        return { items: some.map(({ item }) => item), ids: some.map(({ id }) => id) };
      } catch (error) {
        if (error instanceof SelectError) throw new EventRefused('WRONG', error.message);
        throw error;
      }
    },
  };
}
