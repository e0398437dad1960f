// Describes the routes of the catalogue, and declares what they answer. reference: Portal API; Integration descriptor
import * as z from 'zod';
import { SEARCH_MAX_HITS } from '../limits.ts';
import { keyFields, offeredWay } from '../../connections/model/schemas.ts';
import { codedFailure, failure, type Operations, reply } from '../../http/operation.ts';

const descriptor = () =>
  z.object({
    name: z.string(),
    version: z.string(),
    displayName: z.string(),
    description: z.string(),
    categories: z.array(z.string()).readonly(),
    logo: z.string().describe('A path'),
    authType: z.enum(['none', 'cookie', 'oauth2', 'apikey']),
    instance: z
      .object({
        required: z.boolean(),
        default: z.string().exactOptional(),
        example: z.string(),
        path: z.boolean().exactOptional(),
      })
      .describe("The address of a person's own installation of the product")
      .exactOptional(),
    apikeyFields: keyFields().exactOptional(),
  });
const catalogEntry = () =>
  descriptor().extend({
    toolCount: z.int(),
    configured: z
      .boolean()
      .describe('Whether the operator or an administrator has set what the integration needs'),
    hasGuide: z
      .boolean()
      .describe('Set where agents find a guide, which `GET /api/integrations/:integration` has')
      .exactOptional(),
    takesToken: z
      .boolean()
      .describe('Set where a token that the person makes at the provider connects it, beside its sign-in')
      .exactOptional(),
  });
const judged = {
  decision: z
    .enum(['ask', 'block'])
    .describe('Absent where calls are allowed. Only a session of the portal sees blocked tools')
    .exactOptional(),
  decidedBy: z
    .enum(['everyone', 'person', 'caller'])
    .describe('Whose rules decide: those for everyone, your own, or the limits of the key')
    .exactOptional(),
  afterOutside: z
    .enum(['ask', 'block'])
    .describe('What holds after content from outside, where that is stricter')
    .exactOptional(),
  redact: z
    .array(z.enum(['secrets', 'personal']))
    .describe('What is taken out of results')
    .exactOptional(),
};
const catalogTool = () =>
  z.object({
    name: z.string(),
    description: z.string(),
    access: z.enum(['read', 'write', 'destroy']),
    integration: z.string(),
    ...judged,
  });
const describedIntegration = () =>
  descriptor().extend({
    ways: z.array(offeredWay()).describe('The ways in which the person can connect, the usual one first'),
    tools: z.array(z.object({ name: z.string(), description: z.string(), ...judged })),
    guide: z
      .string()
      .describe('What agents should know before they use the tools, in Markdown')
      .exactOptional(),
  });

export type Descriptor = z.infer<ReturnType<typeof descriptor>>;
/** An item of `GET /api/integrations`. */
export type CatalogEntry = z.infer<ReturnType<typeof catalogEntry>>;
/** An item of `GET /api/tools`. */
export type CatalogTool = z.infer<ReturnType<typeof catalogTool>>;
export type DescribedIntegration = z.infer<ReturnType<typeof describedIntegration>>;

const BLOCKED = codedFailure('`BLOCKED`: your rules or limits allow a key nothing of this integration');
const UNKNOWN = failure('Unknown integration');

export const ToolQuery = z.object({
  q: z
    .string()
    .describe('Only tools with this text in name or description; with a limit, what a tool is wanted for')
    .optional(),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(SEARCH_MAX_HITS)
    .describe('Rank the tools, the best first, and list at most this many. Typing errors are forgiven')
    .optional(),
});

export const catalogOperations: Operations = () => ({
  'GET /api/integrations': {
    id: 'listIntegrations',
    tag: 'Catalogue',
    summary: 'List the integrations',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('All integrations', z.object({ integrations: z.array(catalogEntry()) })) },
  },
  'GET /api/integrations/:integration': {
    id: 'getIntegration',
    tag: 'Catalogue',
    summary: 'Describe an integration and its tools',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The integration', describedIntegration()), 403: BLOCKED, 404: UNKNOWN },
  },
  'GET /api/integrations/:integration/logo': {
    id: 'getIntegrationLogo',
    tag: 'Catalogue',
    summary: 'Get the logo of an integration',
    access: 'read',
    caller: 'anyone',
    replies: {
      200: { description: 'The logo', schema: z.string(), mediaType: 'image/svg+xml' },
      404: failure('There is no logo'),
    },
  },
  'GET /api/tools': {
    id: 'listTools',
    tag: 'Catalogue',
    summary: 'List the tools of all integrations',
    access: 'read',
    caller: 'portal',
    query: ToolQuery,
    replies: {
      200: reply('The tools', z.object({ tools: z.array(catalogTool()) })),
      400: failure('A bad limit'),
    },
  },
});
