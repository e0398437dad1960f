// Describes the routes that connect and disconnect, and declares their bodies.
// reference: Connecting an integration; Connect links; Portal API
import * as z from 'zod';
import { ACCESS_LEVELS } from '../kit/access.ts';
import { codedFailure, failure, type Operations, reply } from '../http/operation.ts';
import { apiKeyOperations } from './keys/api-key-operations.ts';
import { captured, loginRequired } from './cookies/operations.ts';
import {
  accountAtProvider,
  browserHeader,
  CHECKED_REPLIES,
  connectionStatus,
  forTeam,
  keyFields,
  wantedLabel,
} from './model/schemas.ts';

export const Redeem = z.object({ token: z.string(), instanceUrl: z.string().optional() });

/** One of several accounts of an integration. */
export const accountState = () =>
  z.object({
    id: z.string().describe("The provider's own id, where it is known"),
    label: z.string(),
    default: z.boolean().describe('Calls that only read use it when they name no account'),
    defaultForWrites: z.boolean().describe('Calls that change something use it too'),
    status: connectionStatus(),
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
    status: connectionStatus().exactOptional(),
    cause: z.string().describe('Why the status is not `ok`, in a sentence for the person').exactOptional(),
    since: z.number().describe('Unix seconds since when the connection has this status').exactOptional(),
    checkedAt: z.number().describe('Unix seconds when the provider was last asked').exactOptional(),
    answeredInMs: z
      .number()
      .describe('Only after a check that the provider answered: how long it took, for the slowest account')
      .exactOptional(),
    connectedAt: z.number().describe('Unix seconds when the person connected').exactOptional(),
    account: accountAtProvider().exactOptional(),
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
        status: connectionStatus(),
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
export type DisconnectAnswer = z.infer<ReturnType<typeof disconnected>>;
export type ConnectStart = z.infer<ReturnType<typeof connectStart>>;
export type Redeemed = z.infer<ReturnType<typeof redeemed>>;

const UNKNOWN = failure('Unknown integration');
const LABEL = z.string().describe('The label of one account; without it, all of them').optional();
const LINK_REPLIES = {
  401: codedFailure(
    '`AUTH_REQUIRED`: no portal session. `LINK_INVALID`: no link of this gateway, or expired',
  ),
  403: codedFailure(
    '`ACCOUNT_MISMATCH`: the link belongs to another user. `BLOCKED`: rules do not allow a key every call that the browser could make',
  ),
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
    query: z.object({ revoke: z.enum(['true', 'false']).optional(), account: LABEL }),
    replies: {
      200: reply('Also when nothing was stored; `revoked` only with `revoke=true`', disconnected()),
      400: failure('A built-in integration cannot be disconnected, or `revoke` is neither true nor false'),
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
      403: codedFailure('`BLOCKED`: rules do not allow a key every call that the browser could make'),
      404: UNKNOWN,
      503: failure('The operator has not set the client of the integration, or no browser can start'),
    },
  },
  ...apiKeyOperations(),
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
