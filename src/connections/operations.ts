// Describes the routes that connect and disconnect, and declares their bodies.
// reference: Connecting an integration; API key form; Connect links; Portal API
import * as z from 'zod';
import { ACCESS_LEVELS } from '../kit/access.ts';
import { FOR_TEAM } from './team.ts';
import { codedFailure, failure, type Operations, reply } from '../http/operation.ts';
import { browserHeader, captured, CHECKED_REPLIES, loginRequired } from './cookies/operations.ts';

const wantedLabel = () =>
  z.string().describe('The label of the account to renew, or of a new one').optional();

const forTeam = () =>
  z
    .enum([FOR_TEAM])
    .describe('Connects for everyone. Only an administrator may, with a portal session')
    .optional();

export const KeyForm = z.object({
  values: z.record(z.string(), z.string()),
  account: wantedLabel(),
  for: forTeam(),
});
export const Redeem = z.object({ token: z.string(), instanceUrl: z.string().optional() });

const account = () => z.object({ id: z.string(), label: z.string() });
/** One of several accounts of an integration. */
export const accountState = () =>
  z.object({
    id: z.string().describe("The provider's own id, where it is known"),
    label: z.string(),
    default: z.boolean().describe('Calls that only read use it when they name no account'),
    defaultForWrites: z.boolean().describe('Calls that change something use it too'),
    status: z.enum(['ok', 'reconnect', 'unreachable', 'unverified']),
  });
export const AccountChange = z.strictObject({
  label: z.string().optional(),
  default: z.boolean().optional(),
  defaultForWrites: z.boolean().optional(),
});
export type AccountChange = z.input<typeof AccountChange>;
export const connectionState = () =>
  z.object({
    name: z.string(),
    connected: z.boolean(),
    health: z.enum(['ok', 'expiring', 'needs_reconnect']).exactOptional(),
    expiresAt: z.number().describe('Unix seconds when an `expiring` connection ends').exactOptional(),
    status: z.enum(['ok', 'reconnect', 'unreachable', 'unverified']).exactOptional(),
    cause: z.string().describe('Why the status is not `ok`, in a sentence for the person').exactOptional(),
    since: z.number().describe('Unix seconds since when the connection has this status').exactOptional(),
    checkedAt: z.number().describe('Unix seconds when the provider was last asked').exactOptional(),
    answeredInMs: z
      .number()
      .describe('Only after a check that the provider answered: how long it took, for the slowest account')
      .exactOptional(),
    connectedAt: z.number().describe('Unix seconds when the person connected').exactOptional(),
    account: account().exactOptional(),
    way: z.enum(['oauth2', 'token', 'apikey', 'cookie']).exactOptional(),
    scopes: z.array(z.string()).describe('What the person has granted at the provider').exactOptional(),
    missingScopes: z
      .array(z.string())
      .describe('What the integration asks for, and the person has not granted')
      .exactOptional(),
    siblings: z
      .array(z.string())
      .describe('The other integrations whose connections end when this one is revoked at the provider')
      .exactOptional(),
    accounts: z
      .array(accountState())
      .describe('Only where the person has several accounts of the integration')
      .exactOptional(),
    team: z
      .object({
        access: z.enum(ACCESS_LEVELS).describe('What a call may do at most'),
        status: z.enum(['ok', 'reconnect', 'unreachable', 'unverified']),
        default: z.boolean().describe('Calls that only read use it when they name no account'),
        defaultForWrites: z.boolean().describe('Calls that change something use it too'),
      })
      .describe('The connection of the team, where the person may use it')
      .exactOptional(),
  });
export const disconnected = () =>
  z.object({
    success: z.literal(true),
    revoked: z.enum(['done', 'not-offered', 'pending']).exactOptional(),
    removeAt: z.string().describe('Where the person removes the credential').exactOptional(),
  });
const keySaved = () =>
  z.object({
    success: z.literal(true),
    status: z.enum(['ok', 'unverified']).describe('`unverified` when the provider could not be asked'),
    account: account().exactOptional(),
  });
/** The fields of the form for an API key. */
export const keyFields = () =>
  z
    .array(
      z.object({
        key: z.string(),
        label: z.string(),
        secret: z.boolean(),
        required: z.boolean(),
        options: z.array(z.string()).readonly().exactOptional(),
        placeholder: z.string().exactOptional(),
        help: z.string().exactOptional(),
      }),
    )
    .readonly();
/** A way to connect that the page of an integration offers. */
export const offeredWay = () =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('oauth2'),
      ready: z.boolean().describe('Whether the gateway has a client at the provider'),
      redirectUri: z.string().describe('The address to register at the provider'),
      scopes: z.array(z.string()).readonly(),
      registerUrl: z.string().describe("The provider's page to register a client").exactOptional(),
      registerHelp: z.string().exactOptional(),
      client: z.enum(['environment', 'portal']).describe('Where the client was set').exactOptional(),
    }),
    z.object({
      kind: z.literal('token'),
      fields: keyFields(),
      url: z.string().describe("The provider's page to make a token"),
      help: z.string(),
      scopes: z.array(z.string()).readonly(),
    }),
    z.object({ kind: z.literal('apikey'), fields: keyFields() }),
    z.object({ kind: z.literal('cookie') }),
  ]);
export type OfferedWay = z.infer<ReturnType<typeof offeredWay>>;
const oauthStart = () => z.object({ type: z.literal('oauth2'), url: z.string() });
const connectStart = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('none'), connected: z.literal(true) }),
    oauthStart(),
    z.object({ type: z.literal('apikey'), fields: keyFields() }),
    loginRequired(),
  ]);
const redeemed = () =>
  z.discriminatedUnion('type', [oauthStart(), loginRequired().extend({ sessionId: z.string() })]);

/** An item of `GET /api/connections`. */
export type ConnectionState = z.infer<ReturnType<typeof connectionState>>;
export type AccountState = z.infer<ReturnType<typeof accountState>>;
export type KeySaved = z.infer<ReturnType<typeof keySaved>>;
export type DisconnectAnswer = z.infer<ReturnType<typeof disconnected>>;
export type ConnectStart = z.infer<ReturnType<typeof connectStart>>;
export type Redeemed = z.infer<ReturnType<typeof redeemed>>;

const UNKNOWN = failure('Unknown integration');
const LABEL = z.string().describe('The label of one account; without it, all of them').optional();
const LINK_REPLIES = {
  401: codedFailure(
    '`AUTH_REQUIRED`: no portal session. `LINK_INVALID`: no link of this gateway, or expired',
  ),
  403: codedFailure('`ACCOUNT_MISMATCH`: the link belongs to another user'),
};

export const connectionOperations: Operations = () => ({
  'GET /api/connections': {
    id: 'listConnections',
    tag: 'Connections',
    summary: 'List what you have connected',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply(
        'One row for each integration; everything but `name` and `connected` only where a credential is stored',
        z.object({ connections: z.array(connectionState()) }),
      ),
    },
  },
  'POST /api/connections/:integration/check': {
    id: 'checkConnection',
    tag: 'Connections',
    summary: 'Ask the provider whether it accepts the credential',
    access: 'write',
    caller: 'portal',
    query: z.object({ account: LABEL }),
    replies: {
      200: reply('The row as it is now', connectionState()),
      404: failure('Unknown integration, or nothing is stored'),
    },
  },
  'DELETE /api/connections/:integration': {
    id: 'disconnect',
    tag: 'Connections',
    summary: 'Disconnect an integration',
    description:
      'Deletes the stored credential. With `revoke=true` the grant is ended at the provider too, or the answer says where the person ends it.',
    access: 'destroy',
    caller: 'portal',
    query: z.object({ revoke: z.enum(['true']).optional(), account: LABEL }),
    replies: {
      200: reply('Also when nothing was stored; `revoked` only with `revoke=true`', disconnected()),
      400: failure('A built-in integration cannot be disconnected'),
      404: UNKNOWN,
    },
  },
  'PATCH /api/connections/:integration/accounts/:id': {
    id: 'changeAccount',
    tag: 'Connections',
    summary: 'Rename an account, or choose what it is the default for',
    access: 'write',
    caller: 'session',
    body: { schema: AccountChange, example: { label: 'work', default: true } },
    replies: {
      200: reply('The account as it is now', accountState()),
      400: failure('The change or the label is not valid'),
      404: failure('Unknown integration or account; the error names the accounts'),
      409: failure('Another account has the label'),
    },
  },
  'GET /api/auth/:integration': {
    id: 'startConnecting',
    tag: 'Connecting',
    summary: 'Begin to connect an integration',
    description:
      'For `oauth2` the answer has the address of the provider, for `apikey` the fields of the form. For `cookie` the browser of the person starts and opens the log-in page.',
    access: 'write',
    caller: 'portal',
    query: z.object({
      instanceUrl: z.string().describe("The address of the person's own installation").optional(),
      account: wantedLabel(),
      for: forTeam(),
    }),
    headers: browserHeader(),
    replies: {
      200: reply('What to do next, by the type of the integration', connectStart()),
      400: failure('A bad instance or label'),
      404: UNKNOWN,
      503: failure('The operator has not set the client of the integration, or no browser can start'),
    },
  },
  'POST /api/auth/apikey/:integration': {
    id: 'connectWithApiKey',
    tag: 'Connecting',
    summary: 'Connect an integration with an API key or a token',
    access: 'write',
    caller: 'portal',
    body: { schema: KeyForm, example: { values: { apiKey: '…' } } },
    replies: {
      200: reply('The key is stored', keySaved()),
      400: failure(
        'A field is missing or wrong, the provider refuses the key, or `account` must say whose key it is',
      ),
      404: failure('Unknown integration, or one that takes neither an API key nor a token'),
      ...CHECKED_REPLIES,
    },
  },
  'POST /api/connect/redeem': {
    id: 'redeemConnectLink',
    tag: 'Connecting',
    summary: 'Use a connect link',
    access: 'write',
    caller: 'portal',
    headers: browserHeader(),
    body: { schema: Redeem },
    replies: {
      200: reply('What to do next', redeemed()),
      400: failure('A bad instance'),
      ...LINK_REPLIES,
      404: failure('Unknown integration, or one that is connected in another way'),
      410: codedFailure('`LINK_CONSUMED`: the link was used already'),
      503: failure('The operator has not set the client of the integration, or no browser can start'),
    },
  },
  'POST /api/connect/capture': {
    id: 'captureConnectLink',
    tag: 'Connecting',
    summary: 'Store the cookies of a sign-in that a connect link began',
    access: 'write',
    caller: 'portal',
    headers: browserHeader(),
    body: { schema: Redeem.pick({ token: true }) },
    replies: {
      200: reply('The session is stored', captured()),
      400: failure('The browser has no cookie of the integration, or does not run'),
      ...LINK_REPLIES,
      404: failure('Unknown integration, or one without cookies'),
      ...CHECKED_REPLIES,
    },
  },
});
