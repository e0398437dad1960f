// Subscribes to events, reads them, and chooses where they go on to. reference: Events
import type {
  DeliverToForm,
  EventLog,
  EventShown,
  EventsRead,
  EventTrial,
  EventTypes,
  NewAddress,
  ReplayForm,
  SecretForm,
  SubscribedAnswer,
  SubscribeForm,
  SubscriptionList,
  TrialForm,
} from '../../src/events/operations.ts';
import { request } from './client.ts';

export type Subscription = SubscriptionList['subscriptions'][number];
export type EventSource = EventTypes['sources'][number];
export type { EventLog, EventShown, EventTrial, NewAddress, SubscribedAnswer, SubscribeForm };

const pathOf = (id: string): string => `/api/events/${encodeURIComponent(id)}`;

export async function fetchSubscriptions(): Promise<Subscription[]> {
  return (await request<SubscriptionList>('/api/events')).subscriptions;
}

export async function fetchEventSources(): Promise<EventSource[]> {
  return (await request<EventTypes>('/api/events/types')).sources;
}

export function subscribe(body: SubscribeForm): Promise<SubscribedAnswer> {
  return request('/api/events', { method: 'POST', body });
}

export function unsubscribe(id: string): Promise<{ next?: string }> {
  return request(pathOf(id), { method: 'DELETE' });
}

/** Runs the tool of a watch once. */
export function tryWatch(body: TrialForm): Promise<EventTrial> {
  return request('/api/events/sample', { method: 'POST', body });
}

interface LogPage {
  /** Only the events of this subscription. */
  subscription?: string | undefined;
  before?: string | undefined;
}

export function fetchEvents({ before, subscription }: LogPage): Promise<EventLog> {
  const query = new URLSearchParams({ limit: '50' });
  if (before !== undefined) query.set('before', before);
  if (subscription !== undefined) query.set('subscription', subscription);
  return request(`/api/events/log?${query}`);
}

/** Waits until something comes after the cursor, or for 25 seconds. */
export function awaitEvents(cursor: string, signal: AbortSignal): Promise<EventsRead> {
  return request(`/api/events/next?${new URLSearchParams({ cursor, waitSec: '25' })}`, {
    signal,
    waits: true,
  });
}

export function replay(id: string, body: ReplayForm): Promise<{ id: string }> {
  return request(`/api/events/log/${encodeURIComponent(id)}/replay`, { method: 'POST', body });
}

export function renewEventSecret(id: string, body: SecretForm): Promise<{ secret: string | null }> {
  return request(`${pathOf(id)}/secret`, { method: 'PUT', body });
}

export function deliverTo(id: string, body: DeliverToForm): Promise<NewAddress> {
  return request(`${pathOf(id)}/deliver-to`, { method: 'PUT', body });
}

export function deliverNowhere(id: string): Promise<unknown> {
  return request(`${pathOf(id)}/deliver-to`, { method: 'DELETE' });
}
