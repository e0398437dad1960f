// Describes the routes of events, and declares their bodies and answers. reference: Event subscriptions
import * as z from 'zod';
import { MAX_EXPRESSION_CHARACTERS } from '../json/select.ts';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { wantedShape } from './integration.ts';
import { READ_EVENTS, WAIT_SECONDS } from './limits.ts';

const Expression = z.string().min(1).max(MAX_EXPRESSION_CHARACTERS);

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

export const NextQuery = z.object({
  cursor: z
    .string()
    .regex(/^(\d{1,15}|now)$/)
    .optional()
    .describe('Where the last answer ended. `now`: only what comes. Absent: the oldest'),
  limit: z.coerce.number().int().min(1).max(READ_EVENTS).optional().describe('50 if absent'),
  waitSec: z.coerce.number().int().min(0).max(WAIT_SECONDS).optional().describe('0 if absent'),
});
export const ReplayForm = z.strictObject({
  to: z
    .enum(['reader', 'address'])
    .default('reader')
    .describe('`reader`: a copy at the end of the list. `address`: sent to where its subscription delivers'),
});
export type ReplayForm = z.input<typeof ReplayForm>;
export const TrialForm = z.strictObject({
  integration: z.literal('watch').optional(),
  account: z.string().max(200).optional(),
  args: z.strictObject({
    tool: z.string().max(200),
    args: z.record(z.string(), z.unknown()).default({}),
    items: Expression.optional().describe('JMESPath: the list in the answer'),
    id: Expression.optional().describe('JMESPath: what tells one item from another'),
    every: z.int().optional().describe('Has no meaning here'),
    changes: z.boolean().optional().describe('Has no meaning here'),
  }),
});
export type TrialForm = z.input<typeof TrialForm>;
export const DeliverToForm = z.union([
  z.strictObject({ url: z.string().max(2_000), name: z.string().min(1).max(60).optional() }),
  z.strictObject({ channel: z.string().max(64).describe('An address of another subscription') }),
]);
export type DeliverToForm = z.input<typeof DeliverToForm>;

const address = () =>
  z.object({
    id: z.string().describe('The channel of its deliveries in `GET /api/notices/deliveries`'),
    place: z.string().describe('The host'),
    state: z.enum(['ok', 'new', 'failing', 'disabled']),
    lastError: z.string().nullable(),
    lastSentAt: z.int().nullable(),
  });
const newAddress = () =>
  address().extend({
    secret: z.string().describe('Signs what is sent there. Shown once').exactOptional(),
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
      .enum(['ok', 'waiting', 'asked', 'failing', 'stalled', 'ended'])
      .describe(
        '`waiting`: nothing has come yet. `asked`: the webhook waits for a yes. `stalled`: not run for three intervals',
      ),
    problem: z.string().nullable(),
    lastDelivery: z.int().nullable(),
    lastRun: z.int().nullable(),
    nextRun: z.int().nullable(),
    lag: z.int().describe('The seconds that its next run is late'),
    failures: z.int(),
    registered: z.boolean().describe('The gateway has made the webhook there'),
    approval: z.string().nullable().describe('The question that waits for a yes'),
    filter: z.string().nullable(),
    args: z.record(z.string(), z.unknown()),
    by: z.string().describe('The name of the key or client, `session` or `key`'),
    deliverTo: address().nullable().describe('Where its events go on to'),
  });
const list = () => z.object({ subscriptions: z.array(shown()) });
const source = () =>
  z.object({
    integration: z.string(),
    displayName: z.string(),
    kind: z.enum(['webhook', 'watch', 'schedule']),
    makesWebhook: z.boolean().describe('The gateway can make the webhook there'),
    secret: z.enum(['ours', 'theirs']).nullable().describe('Who makes the secret'),
    args: z
      .array(z.object({ name: z.string(), about: z.string() }))
      .describe('What the gateway needs to make the webhook'),
    setUp: z.string().nullable().describe('How a person makes it'),
    events: z.array(z.object({ event: z.string(), about: z.string() })),
  });
const types = () =>
  z.object({
    types: z.array(z.object({ integration: z.string(), event: z.string(), about: z.string() })),
    sources: z.array(source()).describe('The same, by integration'),
  });
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
const log = () => z.object({ events: z.array(event()), more: z.boolean() });
const read = () =>
  z.object({
    events: z.array(event()),
    cursor: z.string().describe('Where the next call goes on'),
    more: z.boolean(),
    truncated: z.literal(true).describe('Events were dropped before they were read').exactOptional(),
  });
const removed = () => z.object({ removed: z.literal(true), next: z.string().optional() });
const secret = () =>
  z.object({ secret: z.string().nullable().describe('Shown once. Null for one of the service') });
const replayed = () => z.object({ id: z.string().describe('Of the copy, or of the event itself') });
const trial = () =>
  z.object({
    answer: z.unknown().describe('What the tool answers. Null where it is too long'),
    count: z.int().describe('How many items the expressions find'),
    items: z.array(z.unknown()).describe('The first five of them'),
    ids: z.array(z.string()),
    suggestions: z
      .array(z.object({ items: z.string(), id: z.string(), count: z.int() }))
      .describe('Expressions that find something, the likeliest first'),
    problem: z.string().nullable().describe('What is wrong with the expressions'),
  });

export type SubscriptionList = z.infer<ReturnType<typeof list>>;
export type EventTypes = z.infer<ReturnType<typeof types>>;
export type SubscribedAnswer = z.infer<ReturnType<typeof subscribed>>;
export type EventLog = z.infer<ReturnType<typeof log>>;
export type EventShown = z.infer<ReturnType<typeof event>>;
export type EventsRead = z.infer<ReturnType<typeof read>>;
export type EventTrial = z.infer<ReturnType<typeof trial>>;
export type NewAddress = z.infer<ReturnType<typeof newAddress>>;

const WRONG = failure('It cannot be subscribed to so');
const MISSING = failure('You have no such subscription or event');
const SESSIONS = failure('Only a person who is signed in to the portal changes addresses');
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
    replies: { 200: reply('A page of events', log()), 400: WRONG },
  },
  'GET /api/events/next': {
    id: 'readEvents',
    tag: 'Events',
    summary: 'Read events after a cursor, the oldest first, and wait for the first one',
    access: 'read',
    caller: 'portal',
    query: NextQuery,
    replies: { 200: reply('The events', read()), 400: WRONG },
  },
  'GET /api/events/log/:id': {
    id: 'getEvent',
    tag: 'Events',
    summary: 'One event with its payload',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The event', event()), 404: MISSING },
  },
  'POST /api/events/log/:id/replay': {
    id: 'replayEvent',
    tag: 'Events',
    summary: 'Store an event once more, or send it once more to the address',
    access: 'write',
    caller: 'portal',
    body: { schema: ReplayForm, optional: true, example: { to: 'address' } },
    replies: { 200: reply('It is stored', replayed()), 400: WRONG, 404: MISSING, 409: NOT_DONE },
  },
  'POST /api/events/sample': {
    id: 'sampleEvents',
    tag: 'Events',
    summary: 'Try a watch: what its tool answers, and what the expressions find',
    access: 'write',
    caller: 'portal',
    body: {
      schema: TrialForm,
      example: { args: { tool: 'list_jots', items: 'jots', id: 'name' } },
    },
    replies: { 200: reply('What it finds', trial()), 400: WRONG },
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
  'PUT /api/events/:id/deliver-to': {
    id: 'setEventAddress',
    tag: 'Events',
    summary: 'Choose the address that the events of a subscription go on to',
    access: 'write',
    caller: 'session',
    body: { schema: DeliverToForm, example: { url: 'https://example.com/hook' } },
    replies: {
      200: reply('The address', newAddress()),
      400: failure('An address that cannot be used'),
      403: SESSIONS,
      404: MISSING,
      409: failure('There are 20 addresses'),
    },
  },
  'DELETE /api/events/:id/deliver-to': {
    id: 'removeEventAddress',
    tag: 'Events',
    summary: 'Send the events of a subscription to no address any more',
    access: 'write',
    caller: 'session',
    replies: { 200: succeeded('Its events stay in the list'), 403: SESSIONS, 404: MISSING },
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
