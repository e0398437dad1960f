// Names a subscription, and renders the lamp of its health.
import type { Subscription } from '../../api/events.ts';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { eventsTexts as words } from '../../texts/events.ts';

const COLOURS: Record<Subscription['state'], LampColour> = {
  ok: 'green',
  waiting: 'off',
  asked: 'amber',
  failing: 'red',
  stalled: 'red',
  ended: 'off',
};

/** Stands for every sender that has no integration. */
export const ANY_SENDER = 'webhook';

/** The key of what is left to do after a subscription has ended. */
export const ENDED = 'ended subscription';

export const addressOfSubscription = (id: string): string => `/events/${encodeURIComponent(id)}`;

export function titleOf(
  { args, event, integration, kind }: Pick<Subscription, 'args' | 'event' | 'integration' | 'kind'>,
  nameOf: (integration: string) => string,
): string {
  if (kind === 'watch') return words.watch(String(args['tool']));
  if (kind === 'schedule') return words.schedule(String(args['cron']));
  return words.titleOf(integration === ANY_SENDER ? words.anySender : nameOf(integration), event);
}

export function SubscriptionLamp({ state }: Pick<Subscription, 'state'>) {
  return <Lamp colour={COLOURS[state]}>{words.states[state]}</Lamp>;
}
