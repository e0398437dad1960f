// Describes the routes of service keys and actors, and declares their bodies and answers. reference: Actors of a key
import * as z from 'zod';
import { EXTERNAL_ID } from '../auth/service-keys.ts';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { Cursor } from '../kit/cursor.ts';
import { LimitsShape } from '../kit/limits.ts';
import { shownText } from '../kit/shown-text.ts';
import { Colours, Mark } from './face.ts';
import { ACTORS_PER_PAGE, LINKS_PER_ACTOR, LINKS_PER_PAGE, SERVICE_KEYS } from './limits.ts';
import { ReturnTo } from './return-addresses.ts';

const MAX_NAME_LENGTH = 100;
const MAX_LABEL_LENGTH = 100;

const Name = z
  .string()
  .max(MAX_NAME_LENGTH)
  .transform((name) => shownText(name) ?? '')
  .refine((name) => name !== '', { error: 'is empty' });

/** What the actors of a key may do at most. A set is of a person or of the team, so no actor is bound to one. */
const KeyLimits = LimitsShape.omit({ set: true });

const KeyForm = {
  name: Name.describe('The product, as its users know it'),
  returnTo: ReturnTo,
  mark: Mark.optional(),
  colours: Colours.optional(),
  maxActors: z.int().min(1).optional().describe('At most SERVICE_KEY_MAX_ACTORS, which is the default'),
  notifyTo: z.url().max(2_000).optional().describe('Where its events are sent to'),
};

export const ServiceKeyForm = KeyLimits.extend(KeyForm);
export type ServiceKeyForm = z.input<typeof ServiceKeyForm>;

/** Absent members stay. Null takes a member away. */
export const ServiceKeyPatch = z.strictObject({
  name: KeyForm.name.optional(),
  returnTo: KeyForm.returnTo.optional(),
  mark: Mark.nullable().optional(),
  colours: Colours.nullable().optional(),
  maxActors: KeyForm.maxActors,
  notifyTo: z.url().max(2_000).nullable().optional(),
  limits: KeyLimits.optional().describe('Replaces all limits'),
});
export type ServiceKeyPatch = z.input<typeof ServiceKeyPatch>;

export const EraseQuery = z.object({
  erase: z.literal('true').optional().describe('Erases the actors too. It cannot be undone'),
});

export const ActorForm = z.strictObject({
  externalId: z
    .string()
    .regex(
      EXTERNAL_ID,
      'must begin with a letter or digit, and be 1 to 255 characters of A-Z, a-z, 0-9 and ._~@:+=-',
    ),
  name: z
    .string()
    .max(MAX_NAME_LENGTH)
    .transform((name) => shownText(name))
    .optional()
    .describe('What the page of a connect link calls the actor. Absent shows the externalId'),
});
export type ActorForm = z.input<typeof ActorForm>;

export const ActorsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(ACTORS_PER_PAGE).default(ACTORS_PER_PAGE),
  cursor: Cursor.optional(),
  query: z.string().min(1).max(255).optional().describe('A part of an externalId, in upper or lower case'),
});

export const LinkForm = z.strictObject({
  integration: z.string().max(64),
  returnTo: z.string().max(2_000).describe('One of the addresses of the key, exactly'),
  account: z.string().max(MAX_LABEL_LENGTH).optional().describe('The label of the account, for a second one'),
});
export type LinkForm = z.input<typeof LinkForm>;

export const LinksQuery = z.object({ cursor: Cursor.optional() });

export const DisconnectQuery = z.object({
  account: z.string().max(MAX_LABEL_LENGTH).optional().describe('Only this account, by its label'),
});

export const UsageQuery = z.object({
  days: z.coerce.number().int().min(1).max(90).default(30),
});

const serviceKey = () =>
  KeyLimits.extend({
    rules: KeyLimits.shape.rules.unwrap().readonly().optional(),
    integrations: KeyLimits.shape.integrations.unwrap().readonly().optional(),
    id: z.string(),
    name: z.string(),
    returnTo: z.array(z.string()).readonly(),
    mark: z.string().exactOptional(),
    colours: Colours.exactOptional(),
    notifies: z.boolean().describe('Whether its events are sent somewhere'),
    revoked: z.boolean(),
    actors: z.int(),
    maxActors: z.int(),
    createdAt: z.int().describe('Unix seconds'),
    lastUsedAt: z.int().nullable().describe('To the minute'),
  });
const newKey = () =>
  serviceKey().extend({
    key: z.string().describe('Shown this once: `svk_` and 64 hex digits'),
    notifySecret: z.string().exactOptional().describe('Shown this once: the secret of Standard Webhooks'),
  });
const changedKey = () => serviceKey().extend({ notifySecret: z.string().exactOptional() });
const drawnKey = () => z.object({ key: z.string().describe('Shown this once') });
const listedKey = () =>
  serviceKey().extend({
    calls: z.object({ last30Days: z.int(), last400Days: z.int() }).describe('The calls for its actors'),
  });
const keyList = () =>
  z.object({
    serviceKeys: z.array(listedKey()),
    erasing: z.int().describe('The actors that are deleted, and not erased yet'),
  });
export const actor = () =>
  z.object({
    externalId: z.string(),
    name: z.string().nullable(),
    connections: z.int().describe('Accounts that are connected'),
    createdAt: z.int().describe('Unix seconds'),
  });
export const actorPage = () => z.object({ actors: z.array(actor()), nextCursor: z.string().exactOptional() });
const connection = () =>
  z.object({
    integration: z.string(),
    status: z.enum(['ok', 'unverified', 'reconnect', 'unreachable']),
    label: z.string().exactOptional().describe('Where the integration has several accounts'),
    account: z.object({ id: z.string(), label: z.string() }).exactOptional(),
    connectedAt: z.int().describe('Unix seconds'),
  });
export const connectionList = () => z.object({ connections: z.array(connection()) });
const newLink = () =>
  z.object({
    id: z.string().describe('Comes back to `returnTo` as `link`, and in events'),
    url: z.string().describe('For the browser of the actor only'),
    expiresAt: z.int().describe('Unix seconds'),
  });
const link = () =>
  z.object({
    id: z.string(),
    externalId: z.string().nullable().describe('Null for an actor that is gone'),
    integration: z.string(),
    state: z.enum(['open', 'opened', 'connected', 'expired']),
    createdAt: z.int().describe('Unix seconds'),
    expiresAt: z.int(),
    endedAt: z.int().nullable(),
  });
const linkPage = () => z.object({ links: z.array(link()), nextCursor: z.string().exactOptional() });
export const usage = () =>
  z.object({
    calls: z.int(),
    failed: z.int(),
    integrations: z.array(z.object({ name: z.string(), calls: z.int(), failed: z.int() })),
  });
const erasing = () => z.object({ status: z.literal('deleting') });

export type ShownServiceKey = z.infer<ReturnType<typeof serviceKey>>;
export type NewServiceKey = z.infer<ReturnType<typeof newKey>>;
export type ChangedServiceKey = z.infer<ReturnType<typeof changedKey>>;
export type ServiceKeyList = z.infer<ReturnType<typeof keyList>>;
export type ShownActor = z.infer<ReturnType<typeof actor>>;
export type ActorPage = z.infer<ReturnType<typeof actorPage>>;
export type ActorConnections = z.infer<ReturnType<typeof connectionList>>;
export type NewActorLink = z.infer<ReturnType<typeof newLink>>;
export type ActorLinkPage = z.infer<ReturnType<typeof linkPage>>;
export type ActorUsage = z.infer<ReturnType<typeof usage>>;

const NO_KEY = failure('There is no such service key');
const NO_ACTOR = failure('The key has no such actor');
const MEMBER = failure('The caller is not an administrator in a portal session');

export const actorOperations: Operations = () => ({
  'GET /api/service-keys': {
    id: 'listServiceKeys',
    tag: 'Actors',
    summary: 'List the service keys of this gateway',
    access: 'read',
    caller: 'session',
    replies: { 200: reply('The keys without their secrets, newest first', keyList()), 403: MEMBER },
  },
  'POST /api/service-keys': {
    id: 'createServiceKey',
    tag: 'Actors',
    summary: 'Create a service key for a product',
    access: 'write',
    caller: 'session',
    body: {
      schema: ServiceKeyForm,
      example: { name: 'Acme', returnTo: ['https://acme.example/connected'], integrations: ['github'] },
    },
    replies: {
      201: reply('The new key', newKey()),
      400: failure('A bad address, limit, picture or colour, or an unknown integration'),
      403: MEMBER,
      404: failure('The user is gone'),
      409: failure(`There are ${SERVICE_KEYS} service keys`),
    },
  },
  'GET /api/service-keys/:id': {
    id: 'getServiceKey',
    tag: 'Actors',
    summary: 'Show a service key',
    access: 'read',
    caller: 'session',
    replies: { 200: reply('The key without its secret', serviceKey()), 403: MEMBER, 404: NO_KEY },
  },
  'PATCH /api/service-keys/:id': {
    id: 'changeServiceKey',
    tag: 'Actors',
    summary: 'Change a service key',
    access: 'write',
    caller: 'session',
    body: { schema: ServiceKeyPatch, example: { name: 'Acme Cloud' } },
    replies: {
      200: reply('The changed key', changedKey()),
      400: failure('A bad address, limit, picture or colour, or an unknown integration'),
      403: MEMBER,
      404: NO_KEY,
    },
  },
  'POST /api/service-keys/:id/key': {
    id: 'renewServiceKey',
    tag: 'Actors',
    summary: 'Draw the key anew. The former one stops to work at once',
    access: 'write',
    caller: 'session',
    replies: { 200: reply('The new key', drawnKey()), 403: MEMBER, 404: NO_KEY },
  },
  'DELETE /api/service-keys/:id': {
    id: 'deleteServiceKey',
    tag: 'Actors',
    summary: 'Revoke a service key at once, and delete it once it has no actors',
    description:
      'Without `erase` its actors and their connections stay, and nobody reaches them until the key is drawn anew.',
    access: 'destroy',
    caller: 'session',
    query: EraseQuery,
    replies: { 200: succeeded('The key does not work any more'), 403: MEMBER, 404: NO_KEY },
  },
  'GET /api/service-keys/:id/actors': {
    id: 'listActorsOfKey',
    tag: 'Actors',
    summary: 'List the actors of a service key',
    access: 'read',
    caller: 'session',
    query: ActorsQuery,
    replies: { 200: reply('A page, by their ids', actorPage()), 403: MEMBER, 404: NO_KEY },
  },
  'GET /api/service-keys/:id/actors/:externalId/connections': {
    id: 'listConnectionsOfKey',
    tag: 'Actors',
    summary: 'List what an actor of a service key has connected',
    access: 'read',
    caller: 'session',
    replies: {
      200: reply('Their connections', connectionList()),
      403: MEMBER,
      404: failure('There is no such service key or actor'),
    },
  },
  'GET /api/service-keys/:id/actors/:externalId/usage': {
    id: 'readUsageOfKey',
    tag: 'Actors',
    summary: 'Count the calls for an actor of a service key',
    access: 'read',
    caller: 'session',
    query: UsageQuery,
    replies: {
      200: reply('The calls', usage()),
      403: MEMBER,
      404: failure('There is no such service key or actor'),
    },
  },
  'DELETE /api/service-keys/:id/actors/:externalId': {
    id: 'eraseActorOfKey',
    tag: 'Actors',
    summary: 'Erase an actor of a service key, with all that is stored of it',
    access: 'destroy',
    caller: 'session',
    replies: {
      202: reply('The deletion has begun', erasing()),
      403: MEMBER,
      404: failure('There is no such service key or actor'),
    },
  },
  'GET /api/service-keys/:id/links': {
    id: 'listActorLinks',
    tag: 'Actors',
    summary: 'List the connect links of a service key',
    access: 'read',
    caller: 'session',
    query: LinksQuery,
    replies: {
      200: reply(`The newest ${LINKS_PER_PAGE}, without the links themselves`, linkPage()),
      403: MEMBER,
      404: NO_KEY,
    },
  },
  'GET /api/actors': {
    id: 'listActors',
    tag: 'Actors',
    summary: 'List your actors',
    access: 'read',
    caller: 'service',
    query: ActorsQuery,
    replies: { 200: reply('A page, by their ids', actorPage()) },
  },
  'POST /api/actors': {
    id: 'createActor',
    tag: 'Actors',
    summary: 'Create an actor, or name an existing one',
    access: 'write',
    caller: 'service',
    body: { schema: ActorForm, example: { externalId: 'user-42', name: 'Ann' } },
    replies: {
      200: reply('It was there already', actor()),
      201: reply('The new actor', actor()),
      400: failure('A bad id or name'),
      409: failure('The key has as many actors as it may'),
    },
  },
  'GET /api/actors/:externalId': {
    id: 'getActor',
    tag: 'Actors',
    summary: 'Show an actor',
    access: 'read',
    caller: 'service',
    replies: { 200: reply('The actor', actor()), 404: NO_ACTOR },
  },
  'DELETE /api/actors/:externalId': {
    id: 'eraseActor',
    tag: 'Actors',
    summary: 'Erase an actor, with all that is stored of it',
    description: 'Its access ends at once, and its id is free at once. The audit log keeps a pseudonym.',
    access: 'destroy',
    caller: 'service',
    replies: { 202: reply('The deletion has begun', erasing()), 404: NO_ACTOR },
  },
  'GET /api/actors/:externalId/connections': {
    id: 'listActorConnections',
    tag: 'Actors',
    summary: 'List what an actor has connected',
    access: 'read',
    caller: 'service',
    replies: { 200: reply('Their connections', connectionList()), 404: NO_ACTOR },
  },
  'DELETE /api/actors/:externalId/connections/:integration': {
    id: 'disconnectActor',
    tag: 'Actors',
    summary: 'Disconnect an integration of an actor, and revoke it at the provider',
    access: 'destroy',
    caller: 'service',
    query: DisconnectQuery,
    replies: { 200: succeeded('It is disconnected'), 404: failure('No such actor, integration or account') },
  },
  'POST /api/actors/:externalId/connect-links': {
    id: 'createActorLink',
    tag: 'Actors',
    summary: 'Make a link with which the browser of an actor connects an account',
    access: 'write',
    caller: 'service',
    body: {
      schema: LinkForm,
      example: { integration: 'github', returnTo: 'https://acme.example/connected' },
    },
    replies: {
      201: reply('The link', newLink()),
      400: failure('A foreign address, a bad label, or an integration that is not connected so'),
      403: failure('The key may not use the integration'),
      404: failure('No such actor or integration'),
      409: failure(`${LINKS_PER_ACTOR} links of the actor wait`),
      503: failure('The integration is not set up on this gateway'),
    },
  },
  'GET /api/actors/:externalId/usage': {
    id: 'readActorUsage',
    tag: 'Actors',
    summary: 'Count the calls for an actor',
    access: 'read',
    caller: 'service',
    query: UsageQuery,
    replies: { 200: reply('The calls', usage()), 404: NO_ACTOR },
  },
});
