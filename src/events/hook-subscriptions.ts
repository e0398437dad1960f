// Subscribes to the webhooks of a service: made there by a call of the gateway, at once or after a yes, or by the person. reference: Webhooks
import { toExecutionResult } from '../calls/execution-result.ts';
import type { Outcome } from '../calls/outcome.ts';
import type { Config } from '../config/config.ts';
import type { Seal } from '../crypto/seal.ts';
import type { HookRecipe, HookRegistration } from '../kit/hooks.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { Registry } from '../kit/registry.ts';
import type { EventSubscription } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { randomText, secretOf } from './hook-secrets.ts';
import { type Kept, sealKept } from './kept.ts';
import { keepNew, newPoller, newSubscription, type Wanted } from './new-subscription.ts';
import { recipeOf } from './recipes.ts';
import { EventRefused } from './refused.ts';
import type { Registrations } from './registration.ts';
import type { StandingCaller } from './standing-caller.ts';

/** What is left to say of a new subscription. */
export interface NewHook {
  row: EventSubscription;
  kept: Kept;
  address?: string;
  secret?: string;
  next?: string;
}

/** How it is with a webhook that a person is asked about. */
export type Asked = 'open' | 'made' | { over: string };

export interface HookSubscriptions {
  subscribe(caller: KnownCaller, wanted: Wanted): Promise<NewHook>;
  /** Makes the webhook when the person has said yes. */
  goOn(row: EventSubscription, kept: Kept): Promise<Asked>;
  /** Removes the webhook at its service. Returns what is left to do. */
  remove(caller: KnownCaller, row: EventSubscription, kept: Kept | null): Promise<string | null>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> & {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>;
  hookRegistrations: Registrations;
  registry: Registry;
  seal: Seal;
  standingCaller: StandingCaller;
};

const SET_SECRET =
  'The webhook is made. Now set the secret that the service shows for it, on the page Events of the portal.';
const nobody = async () => () => [];

export function createHookSubscriptions(deps: Needs): HookSubscriptions {
  const { clock, config, digest, hookRegistrations, random, registry, seal, standingCaller, store } = deps;
  const addressOf = (token: string) => `${config.SERVER_PUBLIC_URL}/hooks/${token}`;

  async function whyNot(outcome: Outcome): Promise<string> {
    const result = await toExecutionResult(outcome, nobody);
    if (!('error' in result)) return '';
    const link = result.approval === undefined ? '' : ` Approve it: ${result.approval.url}`;
    return `${result.message ?? result.error}${link}`;
  }

  async function change(row: EventSubscription, kept: Kept): Promise<void> {
    await store.events.swapSealed(row.id, row.sealed, await sealKept(seal, row, kept));
  }

  /** Null where the person has to make it by hand, with what the service lacks for it. */
  function whyByHand(recipe: HookRecipe, wanted: Wanted, args: Record<string, unknown>): string | null {
    const how = recipe.registration;
    if (how === undefined || registry.integration(wanted.integration) === null) return '';
    if (config.loopback)
      return 'The service cannot reach this gateway, because its address is on this machine. Give it a public SERVER_PUBLIC_URL, or forward deliveries with a tunnel. ';
    const missing = Object.keys(how.args).filter((name) => args[name] === undefined);
    return missing.length === 0
      ? null
      : `The gateway makes the webhook by itself when args names ${missing.join(', ')}. Otherwise: `;
  }

  async function register(
    caller: KnownCaller,
    row: EventSubscription,
    kept: Kept,
    token: string,
    approval?: string,
  ) {
    const integration = registry.integration(row.integration);
    const recipe = recipeOf(registry, row);
    const how = recipe?.registration;
    if (integration === null || recipe === null || how === undefined) return null;
    return hookRegistrations.add(
      caller,
      integration,
      how,
      row.account ?? undefined,
      {
        url: addressOf(token),
        secret: kept.secrets[0]?.text ?? '',
        events: eventsAt(recipe, how, row.event),
        args: kept.args,
      },
      approval,
    );
  }

  const registered = (
    { waiting: _, ...kept }: Kept,
    { id, secret }: { id: string; secret: string | null },
  ): Kept => ({
    ...kept,
    registered: id,
    ...(secret === null ? {} : { secrets: [{ text: secret }] }),
  });

  return {
    async subscribe(caller, wanted) {
      const event = wanted.event ?? '*';
      const recipe = recipeOf(registry, { integration: wanted.integration, event });
      if (recipe === null)
        throw new EventRefused(
          'WRONG',
          `There are no events "${event}" of "${wanted.integration}". events_types lists what there is`,
        );
      const { secret: given, ...args } = wanted.args ?? {};
      const { secret, isOurs } = secretOf(random, recipe, given);
      const token = randomText(random);
      const { row, kept } = await newSubscription(
        deps,
        caller,
        'webhook',
        { ...wanted, event },
        { args, secrets: secret === null ? [] : [secret], address: digest.sha256(token) },
      );
      await keepNew(deps, row, null);
      const byHand = (why: string): NewHook => {
        const theirs =
          secret === null && recipe.handshake !== 'hook-secret'
            ? ' Then set the secret that the service shows, on the page Events of the portal.'
            : '';
        return {
          row,
          kept,
          address: addressOf(token),
          ...(isOurs && secret !== null ? { secret } : {}),
          next: `${why}${recipe.setUp}${theirs} The address is shown only now.`,
        };
      };
      const why = whyByHand(recipe, wanted, args);
      const added = why === null ? await register(caller, row, kept, token) : null;
      if (added === null) return byHand(why ?? '');
      const { outcome, made } = added;
      switch (outcome.kind) {
        case 'asked': {
          // The address and the secret wait in the subscription, so that the yes is all that is needed.
          const next: Kept = { ...kept, waiting: { approval: outcome.approval.id, token } };
          await change(row, next);
          await store.events.addPoller(newPoller(row, 60, clock.now()));
          return { row, kept: next, next: `The webhook is made after a yes. ${await whyNot(outcome)}` };
        }
        case 'denied':
        case 'blocked':
          await store.events.remove(row.user_id, row.id);
          throw new EventRefused('NOT_DONE', `The webhook was not made. ${await whyNot(outcome)}`);
        case 'success': {
          if (made === null) return byHand('The webhook could not be made there. By hand: ');
          const next = registered(kept, made);
          await change(row, next);
          return { row, kept: next, ...(next.secrets.length === 0 ? { next: SET_SECRET } : {}) };
        }
        default:
          return byHand(`The webhook could not be made there (${await whyNot(outcome)}). By hand: `);
      }
    },

    async goOn(row, kept) {
      const { waiting } = kept;
      if (waiting === undefined) return 'made';
      const approval = await store.approvals.get(row.user_id, waiting.approval);
      const state = approval?.state ?? 'expired';
      if (state === 'pending' || state === 'running') return 'open';
      if (state === 'denied') return { over: 'The webhook was not made, because a person has said no' };
      if (state === 'done' || state === 'failed' || state === 'unknown')
        return {
          over: 'It is not known whether the webhook was made. Look at the service, and subscribe again',
        };
      if (state !== 'approved')
        return { over: 'The webhook was not made, because nobody said yes in time. Subscribe again' };
      const caller = await standingCaller(row.user_id, kept.actor, row.created_at);
      if (caller === null)
        return { over: 'The key, client or person that subscribed has lost its access. Subscribe again' };
      const added = await register(caller, row, kept, waiting.token, waiting.approval);
      if (added?.outcome.kind !== 'success' || added.made === null) {
        const said = added === null ? '' : await whyNot(added.outcome);
        return { over: `The webhook could not be made there (${said}). Subscribe again` };
      }
      await change(row, registered(kept, added.made));
      return 'made';
    },

    async remove(caller, row, kept) {
      const how = recipeOf(registry, row)?.registration;
      const integration = registry.integration(row.integration);
      if (kept?.waiting !== undefined) return null;
      if (kept?.registered === undefined || how === undefined || integration === null)
        return 'Remove the webhook at the service too.';
      const outcome = await hookRegistrations.remove(caller, integration, how, row.account ?? undefined, {
        events: [row.event],
        args: kept.args,
        id: kept.registered,
      });
      if (outcome.kind === 'asked')
        throw new EventRefused('NOT_DONE', `The webhook was not removed. ${await whyNot(outcome)}`);
      return outcome.kind === 'success'
        ? null
        : `Remove the webhook ${kept.registered} at the service yourself: ${await whyNot(outcome)}`;
    },
  };
}

/** The names of a subscription's events at the service. An action behind the name is looked at when a delivery comes. */
function eventsAt(
  { events, type }: HookRecipe,
  { takesAll }: HookRegistration,
  event: string,
): readonly string[] {
  if (event === '*' && takesAll !== true) return Object.keys(events);
  return [type.length > 1 ? (event.split('.')[0] ?? event) : event];
}
