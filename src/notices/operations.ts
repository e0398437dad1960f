// Describes the routes of notices, and declares their bodies and answers. reference: Notices
import * as z from 'zod';
import { EmailAddress } from '../auth/email.ts';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { NOTICE_KINDS } from '../kit/notice.ts';
import { shownText } from '../kit/shown-text.ts';
import { CHANNELS } from '../ports/outbox.ts';
import { CHANNELS_PER_PERSON, TESTS_PER_HOUR } from './model/limits.ts';
import { isTimeZone } from './model/quiet-hours.ts';

const MAX_NAME = 60;
const MAX_URL = 2_000;

const Name = z
  .string()
  .max(MAX_NAME)
  .transform((text) => shownText(text) ?? '')
  .refine((text) => text !== '', 'must not be empty');
const Url = z.string().max(MAX_URL);
const Key = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url');
const Kinds = z
  .array(z.enum(NOTICE_KINDS))
  .refine((kinds) => new Set(kinds).size === kinds.length, 'each kind once')
  .describe('What the channel tells. Absent means everything');
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');

export const ChannelForm = z.discriminatedUnion('channel', [
  z.strictObject({ channel: z.literal('webhook'), name: Name, url: Url, kinds: Kinds.optional() }),
  z.strictObject({ channel: z.literal('slack'), name: Name, url: Url, kinds: Kinds.optional() }),
  z.strictObject({
    channel: z.literal('email'),
    name: Name,
    address: EmailAddress.describe('Only for the owner of a gateway without a sign-in provider').optional(),
    kinds: Kinds.optional(),
  }),
  z.strictObject({
    channel: z.literal('push'),
    name: Name,
    url: Url.describe('The endpoint of the subscription'),
    p256dh: Key,
    auth: Key,
    kinds: Kinds.optional(),
  }),
]);
export type ChannelForm = z.input<typeof ChannelForm>;

export const ChannelPatch = z
  .strictObject({ name: Name.optional(), kinds: Kinds.optional(), disabled: z.literal(false).optional() })
  .refine((form) => Object.keys(form).length > 0, { error: 'has nothing to change' });
export type ChannelPatch = z.input<typeof ChannelPatch>;

export const SettingsForm = z.strictObject({
  quietHours: z
    .strictObject({
      from: Time,
      to: Time,
      timeZone: z.string().max(64).refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
    })
    .nullable(),
});
export type SettingsForm = z.input<typeof SettingsForm>;

export const DeliveriesQuery = z.object({
  channel: z.string().max(64).describe('The id of a channel').optional(),
  cursor: z
    .string()
    .max(100)
    .regex(/^\d{1,12}\.[A-Za-z0-9_-]+$/, 'is no cursor')
    .optional(),
});

const time = () => z.int().describe('Unix seconds');

const channel = () =>
  z.object({
    id: z.string(),
    channel: z.enum(CHANNELS),
    purpose: z
      .enum(['notices', 'events'])
      .describe('`events`: a webhook that takes the events of a subscription'),
    name: z.string(),
    place: z.string().describe('The host, or the e-mail address'),
    kinds: z.array(z.enum(NOTICE_KINDS)),
    createdAt: time(),
    state: z.enum(['ok', 'new', 'failing', 'disabled']),
    failingSince: time().exactOptional(),
    lastError: z.string().exactOptional(),
    lastSentAt: time().exactOptional(),
  });
const newChannel = () =>
  channel().extend({
    secret: z.string().describe('Signs what is sent to a webhook. Shown once').exactOptional(),
  });
const overview = () =>
  z.object({
    channels: z.array(channel()),
    quietHours: z.object({ from: z.string(), to: z.string(), timeZone: z.string() }).nullable(),
    kinds: z.array(z.enum(NOTICE_KINDS)),
    mail: z
      .object({ address: z.string().nullable().describe('Null where the person has to enter one') })
      .nullable()
      .describe('Null where the gateway sends no mail'),
    pushKey: z.string().describe('The `applicationServerKey` for the push manager of a browser'),
  });
const delivery = () =>
  z.object({
    id: z.string().describe('The `webhook-id`'),
    channel: z.string().describe('The id of the channel. Empty for an invitation'),
    kind: z.string(),
    state: z
      .enum(['queued', 'done', 'failed', 'dropped'])
      .describe('`dropped`: it was over before it could be sent'),
    attempts: z.int(),
    createdAt: time(),
    dueAt: time().describe('When it is tried next').exactOptional(),
    endedAt: time().exactOptional(),
    lagSeconds: z.int().describe('From the notice until it was sent').exactOptional(),
    lastStatus: z.int().exactOptional(),
    lastError: z.string().exactOptional(),
  });
const deliveryPage = () =>
  z.object({
    deliveries: z.array(delivery()),
    nextCursor: z.string().describe('Absent on the last page').exactOptional(),
  });

export type ShownChannel = z.infer<ReturnType<typeof channel>>;
export type NewChannel = z.infer<ReturnType<typeof newChannel>>;
export type NoticesOverview = z.infer<ReturnType<typeof overview>>;
export type ShownDelivery = z.infer<ReturnType<typeof delivery>>;
export type DeliveryPage = z.infer<ReturnType<typeof deliveryPage>>;

const UNKNOWN = failure('You have no such channel');
const SESSIONS = failure('Only a person who is signed in to the portal changes channels');

export const noticeOperations: Operations = () => ({
  'GET /api/notices': {
    id: 'getNotices',
    tag: 'Notices',
    summary: 'Your channels, what each tells, and your quiet hours',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('Your choices', overview()), 404: failure('The user is gone') },
  },
  'PATCH /api/notices': {
    id: 'changeNotices',
    tag: 'Notices',
    summary: 'Choose quiet hours',
    access: 'write',
    caller: 'session',
    body: {
      schema: SettingsForm,
      example: { quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' } },
    },
    replies: {
      200: succeeded('Notices wait until the quiet hours are over'),
      400: failure('A wrong time'),
      403: SESSIONS,
    },
  },
  'POST /api/notices/channels': {
    id: 'addNoticeChannel',
    tag: 'Notices',
    summary: 'Add a channel',
    access: 'write',
    caller: 'session',
    body: {
      schema: ChannelForm,
      example: { channel: 'webhook', name: 'My server', url: 'https://example.com/hook' },
    },
    replies: {
      201: reply('The new channel', newChannel()),
      400: failure('An address that cannot be used'),
      403: SESSIONS,
      404: failure('The user is gone'),
      409: failure(`There are ${CHANNELS_PER_PERSON} channels, or the gateway sends no mail`),
    },
  },
  'PATCH /api/notices/channels/:id': {
    id: 'changeNoticeChannel',
    tag: 'Notices',
    summary: 'Rename a channel, choose what it tells, or enable it again',
    access: 'write',
    caller: 'session',
    body: { schema: ChannelPatch, example: { kinds: ['approval'] } },
    replies: {
      200: reply('The channel', channel()),
      400: failure('Nothing to change'),
      403: SESSIONS,
      404: UNKNOWN,
    },
  },
  'DELETE /api/notices/channels/:id': {
    id: 'deleteNoticeChannel',
    tag: 'Notices',
    summary: 'Delete a channel with its deliveries',
    access: 'destroy',
    caller: 'session',
    replies: { 200: succeeded('Nothing is sent there any more'), 403: SESSIONS, 404: UNKNOWN },
  },
  'POST /api/notices/channels/:id/test': {
    id: 'testNoticeChannel',
    tag: 'Notices',
    summary: 'Send a test to a channel',
    access: 'write',
    caller: 'session',
    replies: {
      202: reply('The delivery of the test', delivery()),
      403: SESSIONS,
      404: UNKNOWN,
      409: failure('The channel is disabled, or too many deliveries wait'),
      429: failure(`There were ${TESTS_PER_HOUR} tests in an hour`),
    },
  },
  'GET /api/notices/deliveries': {
    id: 'listDeliveries',
    tag: 'Notices',
    summary: 'What was sent and what waits, the newest first',
    access: 'read',
    caller: 'portal',
    query: DeliveriesQuery,
    replies: { 200: reply('A page of deliveries', deliveryPage()), 400: failure('A wrong cursor') },
  },
  'POST /api/notices/deliveries/:id/send-again': {
    id: 'sendDeliveryAgain',
    tag: 'Notices',
    summary: 'Send a delivery again, under the same id',
    access: 'write',
    caller: 'session',
    replies: {
      202: reply('The delivery', delivery()),
      403: SESSIONS,
      404: failure('You have no such delivery'),
      409: failure('It waits already, or its channel is disabled'),
    },
  },
  'GET /notices/off': {
    id: 'showNoticesOff',
    tag: 'Notices',
    summary: 'The page behind the link of a mail',
    access: 'read',
    caller: 'anyone',
    query: z.object({ token: z.string() }),
    replies: {
      200: { description: 'A page with a button', mediaType: 'text/html' },
      404: { description: 'The link is wrong', mediaType: 'text/html', otherMediaType: 'application/json' },
    },
  },
  'POST /notices/off': {
    id: 'switchNoticesOff',
    tag: 'Notices',
    summary: 'Switch off mails of the kinds that a link names',
    access: 'write',
    caller: 'anyone',
    query: z.object({ token: z.string() }),
    replies: {
      200: { description: 'A page that says so', mediaType: 'text/html' },
      404: { description: 'The link is wrong', mediaType: 'text/html', otherMediaType: 'application/json' },
    },
  },
});
