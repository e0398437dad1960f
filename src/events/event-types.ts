// Lists what can be subscribed to. reference: Event subscriptions
import type { HookRecipe } from '../kit/hooks.ts';
import type { Registry } from '../kit/registry.ts';
import { GENERIC, genericHooks } from './generic-hooks.ts';

export interface EventType {
  integration: string;
  event: string;
  about: string;
}

/** A service, or a kind of sender, with what a person has to know before subscribing. */
export interface EventSource {
  integration: string;
  displayName: string;
  kind: 'webhook' | 'watch' | 'schedule';
  /** Whether the gateway makes the webhook there by itself. */
  makesWebhook: boolean;
  /** Says who makes the secret. Null where there is none. */
  secret: 'ours' | 'theirs' | null;
  /** What `args` has to name for the gateway to make the webhook. */
  args: { name: string; about: string }[];
  /** How a person makes it by hand. */
  setUp: string | null;
  events: { event: string; about: string }[];
}

const WATCH = {
  integration: 'watch',
  about:
    'Any tool that reads, run again and again. args: {tool, args, items, id, every, changes}; items and id are JMESPath',
};
const SCHEDULE = { integration: 'schedule', about: 'Points in time. args: {cron, timeZone, text}' };

const eventsOf = ({ events }: HookRecipe) =>
  Object.entries(events).map(([event, about]) => ({ event, about }));

const sourceOf = (integration: string, displayName: string, recipe: HookRecipe): EventSource => ({
  integration,
  displayName,
  kind: 'webhook',
  makesWebhook: recipe.registration !== undefined,
  secret: recipe.secret,
  args: Object.entries(recipe.registration?.args ?? {}).map(([name, about]) => ({ name, about })),
  setUp: recipe.setUp,
  events: eventsOf(recipe),
});

const ofGateway = (kind: 'watch' | 'schedule', displayName: string, about: string): EventSource => ({
  integration: kind,
  displayName,
  kind,
  makesWebhook: false,
  secret: null,
  args: [],
  setUp: null,
  events: [{ event: '', about }],
});

export function eventSources({ integrations }: Pick<Registry, 'integrations'>): EventSource[] {
  return [
    ...integrations.flatMap(({ name, displayName, hooks }) =>
      hooks === undefined ? [] : [sourceOf(name, displayName, hooks)],
    ),
    ...Object.values(genericHooks).map((recipe) => sourceOf(GENERIC, 'Any sender', recipe)),
    ofGateway('watch', 'A watched tool', WATCH.about),
    ofGateway('schedule', 'A schedule', SCHEDULE.about),
  ];
}

export const eventTypes = (registry: Pick<Registry, 'integrations'>): EventType[] =>
  eventSources(registry).flatMap(({ integration, events }) =>
    events.map(({ event, about }) => ({ integration, event, about })),
  );
