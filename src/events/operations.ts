// Describes the routes of events, and declares their bodies and answers. reference: Event subscriptions
import * as z from 'zod';
import { failure, type Operations, reply } from '../http/operation.ts';
import { wantedShape } from './integration.ts';
import { READ_EVENTS } from './limits.ts';

export const SubscribeForm = z.strictObject(wantedShape());
export type SubscribeForm = z.input<typeof SubscribeForm>;
export const SecretForm = z.strictObject({
  secret: z.string().min(1).max(500).optional().describe('The secret of the service. Absent makes a new one'),
});
export type SecretForm = z.input<typeof SecretForm>;
export const LogQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('The cursor of the last event of the page before'),
  limit: z.coerce.number().int().min(1).max(READ_EVENTS).optional().describe('50 if absent'),
  subscription: z.string().max(64).optional(),
});

const shown = () =>
  z.object({
    id: z.string(),
    integration: z.string(),
    event: z.string(),
    kind: z.enum(['webhook', 'watch', 'schedule']),
    account: z.string().nullable(),
    createdAt: z.int().describe('Unix seconds'),
    state: z
      .enum(['ok', 'waiting', 'failing', 'stalled', 'ended'])
      .describe('`waiting`: nothing has come yet. `stalled`: not run for three intervals'),
    problem: z.string().nullable(),
    lastDelivery: z.int().nullable(),
    lastRun: z.int().nullable(),
    nextRun: z.int().nullable(),
    lag: z.int().describe('The seconds that its next run is late'),
    failures: z.int(),
    registered: z.boolean(),
  });
const list = () => z.object({ subscriptions: z.array(shown()) });
const types = () =>
  z.object({ types: z.array(z.object({ integration: z.string(), event: z.string(), about: z.string() })) });
const subscribed = () =>
  z.object({
    id: z.string(),
    subscription: shown(),
    address: z.string().optional().describe('Shown once'),
    secret: z.string().optional().describe('Shown once'),
    next: z.string().optional().describe('What is left to do'),
    items: z.int().optional().describe('How many items the first run of a watch has found'),
  });
const event = () =>
  z.object({
    id: z.string(),
    cursor: z.string(),
    subscription: z.string(),
    integration: z.string().nullable(),
    type: z.string(),
    receivedAt: z.int(),
    replayOf: z.string().optional(),
    payload: z.unknown(),
  });
const log = () => z.object({ events: z.array(event()) });
const removed = () => z.object({ removed: z.literal(true), next: z.string().optional() });
const secret = () =>
  z.object({ secret: z.string().nullable().describe('Shown once. Null for one of the service') });
const replayed = () => z.object({ id: z.string() });
const sample = () => z.object({ items: z.array(z.unknown()), ids: z.array(z.string()) });

export type SubscriptionList = z.infer<ReturnType<typeof list>>;
export type EventTypes = z.infer<ReturnType<typeof types>>;
export type SubscribedAnswer = z.infer<ReturnType<typeof subscribed>>;
export type EventLog = z.infer<ReturnType<typeof log>>;

const WRONG = failure('It cannot be subscribed to so');
const MISSING = failure('You have no such subscription or event');
const NOT_DONE = failure('It is not done yet: the answer says why');

export const eventOperations: Operations = () => ({
  'GET /api/events': {
    id: 'listSubscriptions',
    tag: 'Events',
    summary: 'List your subscriptions and how they are',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('Your subscriptions', list()) },
  },
  'POST /api/events': {
    id: 'subscribeToEvents',
    tag: 'Events',
    summary: 'Subscribe to events',
    access: 'write',
    caller: 'portal',
    body: { schema: SubscribeForm, example: { integration: 'webhook', event: 'standard' } },
    replies: { 201: reply('The subscription', subscribed()), 400: WRONG, 404: MISSING, 409: NOT_DONE },
  },
  'GET /api/events/types': {
    id: 'listEventTypes',
    tag: 'Events',
    summary: 'List what can be subscribed to',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The events', types()) },
  },
  'GET /api/events/log': {
    id: 'listEvents',
    tag: 'Events',
    summary: 'List your events with their payloads, the newest first',
    access: 'read',
    caller: 'portal',
    query: LogQuery,
    replies: { 200: reply('The events', log()), 400: WRONG },
  },
  'POST /api/events/log/:id/replay': {
    id: 'replayEvent',
    tag: 'Events',
    summary: 'Store an event once more, at the end',
    access: 'write',
    caller: 'portal',
    replies: { 200: reply('The id of the copy', replayed()), 404: MISSING },
  },
  'POST /api/events/sample': {
    id: 'sampleEvents',
    tag: 'Events',
    summary: 'Try a watch: run its tool once and show what it finds',
    access: 'write',
    caller: 'portal',
    body: {
      schema: SubscribeForm,
      example: { integration: 'watch', args: { tool: 'list_jots', items: 'jots', id: 'name' } },
    },
    replies: { 200: reply('The first items', sample()), 400: WRONG },
  },
  'PUT /api/events/:id/secret': {
    id: 'setEventSecret',
    tag: 'Events',
    summary: 'Set or replace the secret of a webhook; the old one is taken for a day',
    access: 'write',
    caller: 'portal',
    body: { schema: SecretForm, example: {} },
    replies: { 200: reply('The new secret', secret()), 400: WRONG, 404: MISSING, 409: NOT_DONE },
  },
  'DELETE /api/events/:id': {
    id: 'unsubscribeFromEvents',
    tag: 'Events',
    summary: 'End a subscription, with its events and its webhook at the service',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: reply('What is left to do', removed()), 404: MISSING, 409: NOT_DONE },
  },
  'GET /hooks/:address': {
    id: 'answerHookChallenge',
    tag: 'Events',
    summary: 'Answer a sender that asks whether the address is real',
    access: 'read',
    caller: 'anyone',
    query: z.object({ challenge: z.string().optional() }),
    replies: {
      200: { description: 'The challenge', mediaType: 'text/plain' },
      404: failure('There is no such address'),
      405: failure('Deliveries come by POST'),
    },
  },
  'POST /hooks/:address': {
    id: 'receiveHook',
    tag: 'Events',
    summary: 'Take the delivery of a webhook, and store it before the answer',
    access: 'write',
    caller: 'anyone',
    body: { schema: z.unknown(), optional: true, example: {} },
    replies: {
      200: reply('It is stored', z.object({ received: z.literal(true) })),
      401: failure('The signature is missing, wrong or old'),
      404: failure('There is no such address'),
      413: failure('The body is larger than 1 MiB'),
      429: failure('More than 10,000 deliveries in a minute'),
    },
  },
});
