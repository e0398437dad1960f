// Declares the parts that the bodies and answers of several operations have.
import * as z from 'zod';
import { failure } from '../../http/operation.ts';
import { CONNECTION_STATUSES } from '../../kit/personal.ts';
import { FOR_TEAM } from './team.ts';

/** The header that leads a request to the process with the person's browser. */
export const browserHeader = () => z.object({ 'X-Browser-Session': z.string().optional() });

/** The refusals of routes that check a credential before they store it. */
export const CHECKED_REPLIES = {
  409: failure('The connection was changed while the credential was checked; nothing is stored'),
  429: failure("4 of the person's credentials are being checked; `Retry-After` says when to try again"),
};

export const wantedLabel = () =>
  z.string().describe('The label of the account to renew, or of a new one').optional();

export const forTeam = () =>
  z
    .enum([FOR_TEAM])
    .describe('Connects for everyone. Only an administrator may, with a portal session')
    .optional();

export const connectionStatus = () => z.enum(CONNECTION_STATUSES);

/** The account at the provider, where it is known. */
export const accountAtProvider = () => z.object({ id: z.string(), label: z.string() });
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
/** The integrations of a provider that one OAuth client can serve. decision: 065 */
export const clientFamily = () =>
  z.object({
    name: z.string(),
    displayName: z.string(),
    redirectUri: z.string().describe('The address to register at the provider for all of them'),
    scopes: z.array(z.string()).readonly().describe('What all of them ask for'),
    integrations: z.array(z.object({ name: z.string(), displayName: z.string() })).readonly(),
    isSet: z.boolean().describe('Whether the family has a client'),
  });

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
      family: clientFamily()
        .describe('The integrations of the same provider that one client can serve')
        .exactOptional(),
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
