// Declares the bodies that the routes of imports read. reference: Imports
import * as z from 'zod';

export const access = () => z.enum(['read', 'write', 'destroy']);
export const accessByTool = () => z.record(z.string(), access());
const names = () => z.array(z.string().max(256)).max(5_000);

/** What a preview says beside a way to connect. A caller may send it back with the way, and it is not read. */
const shown = () => ({
  fields: z.array(z.string()).optional().describe('As the preview shows them. They are not read'),
  client: z.string().optional().describe('As the preview shows it. It is not read'),
});

const scopes = () => z.array(z.string().max(256)).max(200).optional();

const templates = () => z.record(z.string().max(128), z.string().max(2_048));

const enteredAuth = () =>
  [
    z.strictObject({ type: z.literal('headers'), headers: templates(), ...shown() }),
    z.strictObject({ type: z.literal('query'), parameters: templates(), ...shown() }),
    z.strictObject({ type: z.literal('basic'), ...shown() }),
  ] as const;

/** How an import is connected, as a caller gives it. `{field}` is a secret that each person fills in. */
const givenAuth = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none'), ...shown() }),
    ...enteredAuth(),
    z.strictObject({
      type: z.literal('all'),
      ways: z.array(z.discriminatedUnion('type', enteredAuth())).max(10).describe('All of these together'),
      ...shown(),
    }),
    z.strictObject({
      type: z.literal('client'),
      tokenUrl: z.url().max(2_048).describe('Where each person exchanges a client id and secret for a token'),
      scopes: scopes(),
      ...shown(),
    }),
    z.strictObject({
      type: z.literal('oauth2'),
      ...shown(),
      clientId: z.string().min(1).max(2_048).optional(),
      clientSecret: z.string().min(1).max(2_048).optional(),
      scopes: scopes(),
      authorizeUrl: z.url().max(2_048).optional(),
      tokenUrl: z.url().max(2_048).optional(),
    }),
  ]);

const fixedHeaders = () =>
  z
    .record(z.string().max(128), z.string().max(2_048))
    .optional()
    .describe('Headers of every call to an OpenAPI service, such as a version');

export const timeoutSec = () =>
  z
    .int()
    .min(1)
    .max(300)
    .describe('How many seconds a call may take without an answer; 60 for MCP, 30 for others when absent');

const address = () =>
  z.string().trim().min(1).max(2_048).describe('The address of the server or of its description');
const document = () => z.string().min(1).describe('The text of an OpenAPI description, JSON or YAML');
export const kind = () => z.enum(['mcp', 'openapi']);
/** GraphQL is kept as a service with a description. */
const givenKind = () => z.enum(['mcp', 'openapi', 'graphql']);

export const PreviewForm = z
  .strictObject({
    address: address().optional(),
    document: document().optional(),
    kind: givenKind().optional().describe('Found out when absent'),
    base: z
      .url()
      .max(2_048)
      .optional()
      .describe('Where an OpenAPI service is called, instead of what it says'),
  })
  .refine((form) => (form.address === undefined) !== (form.document === undefined), {
    error: 'Give either address or document',
  });

export const ImportForm = z
  .strictObject({
    address: address().optional(),
    document: document().optional(),
    kind: givenKind().optional(),
    name: z.string().max(64).optional().describe('Made of a-z, 0-9 and _; the preview suggests one'),
    displayName: z.string().trim().min(1).max(100).optional(),
    for: z.enum(['me', 'everyone']).default('me').describe('Only an administrator imports for everyone'),
    include: names().optional().describe('Only these tools, or tags; the names of the preview'),
    exclude: names().optional().describe('All but these tools, or tags'),
    access: accessByTool().optional().describe('What a tool does, where the source says it wrongly'),
    auth: givenAuth().optional().describe("The preview's finding when absent"),
    base: z.url().max(2_048).optional(),
    headers: fixedHeaders(),
    timeoutSec: timeoutSec().optional(),
  })
  .refine((form) => (form.address === undefined) !== (form.document === undefined), {
    error: 'Give either address or document',
  });
export type ImportForm = z.infer<typeof ImportForm>;

export const ImportPatch = z.strictObject({
  displayName: z.string().trim().min(1).max(100).optional(),
  include: names().nullable().optional().describe('null includes all'),
  exclude: names().optional(),
  access: accessByTool().optional().describe('Replaces all that was set before'),
  auth: givenAuth().optional().describe('Another way to connect ends the connections of the old one'),
  headers: fixedHeaders(),
  timeoutSec: timeoutSec().nullable().optional().describe('null sets the default again'),
});

const seenVersion = () =>
  z.string().max(64).optional().describe('That of the changes that the person has seen: others are 409');

export const AcceptForm = z.union([
  z.strictObject({ tools: names().min(1), version: seenVersion() }),
  z.strictObject({ all: z.literal(true), version: seenVersion() }),
]);
