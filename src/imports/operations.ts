// Describes the routes of imports, and declares their answers. reference: Imports
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import {
  AcceptForm,
  access,
  accessByTool,
  ImportForm,
  ImportPatch,
  kind,
  PreviewForm,
  timeoutSec,
} from './forms.ts';
import { catalogueServer } from './known/server.ts';

const enteredAuth = () =>
  z.object({
    type: z.enum(['headers', 'query', 'basic']),
    headers: z.record(z.string(), z.string()).exactOptional(),
    parameters: z.record(z.string(), z.string()).exactOptional(),
    fields: z.array(z.string()).readonly().exactOptional(),
  });

/** How an import is connected, as an answer shows it: never with a secret. */
export const shownAuth = () =>
  z.object({
    type: z.enum(['none', 'headers', 'query', 'basic', 'all', 'client', 'values', 'oauth2']),
    headers: z.record(z.string(), z.string()).exactOptional(),
    parameters: z.record(z.string(), z.string()).exactOptional(),
    ways: z.array(enteredAuth()).readonly().describe('All of these together').exactOptional(),
    fields: z.array(z.string()).readonly().describe('What each person fills in').exactOptional(),
    clientId: z.string().exactOptional(),
    tokenUrl: z.string().describe('Where the client of each person gets its tokens').exactOptional(),
    scopes: z.array(z.string()).readonly().exactOptional(),
    client: z
      .enum(['given', 'document', 'registration', 'missing'])
      .describe('Which OAuth client the gateway uses; `missing` when the importer has to give one')
      .exactOptional(),
  });

const shownApp = () =>
  z.object({
    uri: z.string(),
    bytes: z.int(),
    digest: z.string().describe('That of the HTML'),
    may: z.array(z.string()).describe('What the page may do, a sentence each'),
  });

/** The page with which a tool shows itself. */
const appOfTool = () => ({
  app: shownApp().exactOptional(),
  onlyForApp: z
    .literal(true)
    .describe('Only the app of the server calls it: no model is shown it')
    .exactOptional(),
});

const previewTool = () =>
  z.object({
    name: z.string().describe('The name that it gets'),
    description: z.string(),
    access: access(),
    offered: z
      .literal('read')
      .describe('The name says that the tool only reads. Confirm it by giving this access')
      .exactOptional(),
    ready: z.boolean().describe('False for a tool that is left out unless somebody chooses it'),
    tags: z.array(z.string()).readonly().exactOptional(),
    ...appOfTool(),
  });

/** How the source was found, where the given address was not the one of it. */
const search = () => ({
  looks: z
    .array(z.object({ address: z.string(), said: z.string() }))
    .describe('What was asked to find it, and what came of it')
    .exactOptional(),
  choices: z
    .array(z.object({ address: z.string(), title: z.string() }))
    .describe('The descriptions that its page offers')
    .exactOptional(),
});

const preview = () =>
  z.object({
    kind: kind(),
    address: z
      .string()
      .nullable()
      .describe('Where it was found, which may be another address than the given one'),
    ...search(),
    guess: z
      .literal(true)
      .describe('Set where it wants a credential before it says what it is')
      .exactOptional(),
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    auth: shownAuth(),
    otherAuth: z.array(shownAuth()).exactOptional(),
    tools: z.array(previewTool()),
    listed: z.boolean().describe('False when the tools can be seen only after somebody has connected'),
    tags: z.array(z.object({ name: z.string(), tools: z.int() })).exactOptional(),
    base: z.string().describe('Where an OpenAPI service is called').exactOptional(),
    servers: z
      .array(
        z.object({
          address: z.string(),
          description: z.string(),
          variables: z
            .array(
              z.object({
                name: z.string(),
                value: z.string(),
                values: z.array(z.string()).readonly(),
                description: z.string(),
              }),
            )
            .readonly(),
        }),
      )
      .describe('The places where an OpenAPI service runs; `base` chooses one')
      .exactOptional(),
    warnings: z.array(z.string()),
    suspicions: z.array(z.string()).describe('Warnings about orders to a model').exactOptional(),
  });

const importedTool = () =>
  z.object({
    name: z.string(),
    description: z.string(),
    access: access(),
    state: z.enum(['granted', 'new', 'changed', 'gone']),
    blocked: z.boolean().describe('Whether calls wait for somebody to accept what changed'),
    included: z.boolean().describe('False for a tool that somebody has left out'),
    tags: z.array(z.string()).readonly().exactOptional(),
    ...appOfTool(),
  });

export const importEntry = () =>
  z.object({
    name: z.string(),
    kind: kind(),
    displayName: z.string(),
    description: z.string(),
    address: z.string().nullable().describe('null for a document that was uploaded'),
    for: z.enum(['me', 'everyone']),
    editable: z.boolean().describe('Whether the person may change it, in the portal'),
    auth: shownAuth(),
    include: z.array(z.string()).readonly().nullable(),
    exclude: z.array(z.string()).readonly(),
    access: accessByTool(),
    base: z.string().exactOptional(),
    headers: z.record(z.string(), z.string()).describe('The values are not shown').exactOptional(),
    timeoutSec: timeoutSec().exactOptional(),
    version: z.string().describe('Changes with every change of the import'),
    createdAt: z.number(),
    checkedAt: z.number().nullable(),
    checkError: z.string().nullable().describe('Why the source could not be asked, in a sentence'),
    tools: z.array(importedTool()),
  });

const addedImport = () =>
  importEntry().extend({ ...search(), warnings: z.array(z.string()).describe('What the preview says too') });

export const ImportsQuery = z.object({
  tools: z
    .enum(['blocked'])
    .describe('Leaves out the tools that can be called: `tools` has those that wait for a decision')
    .optional(),
});

const importList = () =>
  z.object({
    imports: z.array(importEntry()),
    forEveryone: z.boolean().describe('Whether the person may import for everyone, in the portal'),
  });

const definition = () =>
  z.object({
    title: z.string().nullable(),
    description: z.string(),
    access: access(),
    schema: z.record(z.string(), z.unknown()),
    ...appOfTool(),
  });
const change = () =>
  z.object({
    name: z.string(),
    blocking: z.boolean().describe('Whether calls of the tool wait until somebody accepts'),
    old: definition(),
    new: definition(),
  });
export const checked = () =>
  z.object({
    added: z.array(definition().extend({ name: z.string() })),
    changed: z.array(change()),
    gone: z.array(z.string()),
    warnings: z.array(z.string()),
    version: z.string().describe('Changes with the import; accept takes it'),
  });

const knownServers = () => z.object({ servers: z.array(catalogueServer()) });

export type NewImport = z.input<typeof ImportForm>;
export type ImportChange = z.input<typeof ImportPatch>;
export type ShownAuth = z.infer<ReturnType<typeof shownAuth>>;
export type Preview = z.infer<ReturnType<typeof preview>>;
export type ImportEntry = z.infer<ReturnType<typeof importEntry>>;
export type AddedImport = z.infer<ReturnType<typeof addedImport>>;
export type ImportList = z.infer<ReturnType<typeof importList>>;
export type ImportedTool = z.infer<ReturnType<typeof importedTool>>;
export type Change = z.infer<ReturnType<typeof change>>;
export type Checked = z.infer<ReturnType<typeof checked>>;
export type CatalogueServer = z.infer<ReturnType<typeof catalogueServer>>;
export type KnownServers = z.infer<ReturnType<typeof knownServers>>;

const UNKNOWN = failure('There is no such import');
const FORBIDDEN = failure(
  'Only an administrator in the portal changes what everyone has, and, where there are rules, only a person in the portal changes an import',
);
const SOURCE_REPLIES = {
  413: failure(
    'The source is too large: 16 MiB, or 6 MiB of YAML; 300,000 values; 2,000 tools of a server or 10,000 operations',
  ),
  422: failure('The document cannot be read'),
  502: failure('The source failed'),
  503: failure('As many local servers run as may; `Retry-After` says when to try again'),
  504: failure('The source did not answer within 30 seconds, a local server within two minutes'),
};

export const importOperations: Operations = () => ({
  'POST /api/imports/preview': {
    id: 'previewImport',
    tag: 'Imports',
    summary: 'Look at a server or a description without storing anything',
    access: 'read',
    caller: 'portal',
    body: { schema: PreviewForm, example: { address: 'https://mcp.example.com/mcp' } },
    replies: {
      200: reply('What an import of it would be', preview()),
      400: failure('A wrong body'),
      ...SOURCE_REPLIES,
    },
  },
  'GET /api/imports/catalogue': {
    id: 'listKnownServers',
    tag: 'Imports',
    summary: 'List well-known MCP servers',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The servers', knownServers()) },
  },
  'GET /api/imports/logos/:name': {
    id: 'getImportLogo',
    tag: 'Imports',
    summary: 'Get a drawing for the name of an import',
    access: 'read',
    caller: 'anyone',
    replies: {
      200: { description: 'The logo', schema: z.string(), mediaType: 'image/svg+xml' },
      404: failure('There is no logo'),
    },
  },
  'POST /api/imports': {
    id: 'addImport',
    tag: 'Imports',
    summary: 'Add an import',
    access: 'write',
    caller: 'portal',
    body: { schema: ImportForm, example: { address: 'https://mcp.example.com/mcp', name: 'example' } },
    replies: {
      201: reply('The import', addedImport()),
      400: failure('A wrong body'),
      403: FORBIDDEN,
      409: failure('The name is taken'),
      ...SOURCE_REPLIES,
    },
  },
  'GET /api/imports': {
    id: 'listImports',
    tag: 'Imports',
    summary: 'List your imports and those of everyone',
    access: 'read',
    caller: 'portal',
    query: ImportsQuery,
    replies: { 200: reply('The imports', importList()), 400: failure('A bad query') },
  },
  'GET /api/imports/:name': {
    id: 'getImport',
    tag: 'Imports',
    summary: 'Describe an import and the state of its tools',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The import', importEntry()), 404: UNKNOWN },
  },
  'PATCH /api/imports/:name': {
    id: 'changeImport',
    tag: 'Imports',
    summary: 'Change an import',
    access: 'write',
    caller: 'portal',
    body: { schema: ImportPatch, example: { exclude: ['example_delete_everything'] } },
    replies: {
      200: reply('The import', importEntry()),
      400: failure('A wrong body'),
      403: FORBIDDEN,
      404: UNKNOWN,
      409: failure('Somebody else has changed it meanwhile'),
    },
  },
  'DELETE /api/imports/:name': {
    id: 'deleteImport',
    tag: 'Imports',
    summary: 'Delete an import with the connections to it',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: succeeded('It is gone'), 403: FORBIDDEN, 404: UNKNOWN },
  },
  'POST /api/imports/:name/check': {
    id: 'checkImport',
    tag: 'Imports',
    summary: 'Ask the source again',
    access: 'write',
    caller: 'portal',
    replies: {
      200: reply('What waits for a decision', checked()),
      403: FORBIDDEN,
      404: UNKNOWN,
      409: failure('Connect it first'),
      ...SOURCE_REPLIES,
    },
  },
  'GET /api/imports/:name/changes': {
    id: 'listImportChanges',
    tag: 'Imports',
    summary: 'List what waits for a decision, without asking the source',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('What waits for a decision', checked()), 404: UNKNOWN },
  },
  'POST /api/imports/:name/accept': {
    id: 'acceptImportChanges',
    tag: 'Imports',
    summary: 'Accept the definitions that wait',
    access: 'write',
    caller: 'portal',
    body: { schema: AcceptForm, example: { all: true } },
    replies: {
      200: reply('The import', importEntry()),
      400: failure('A wrong body'),
      403: FORBIDDEN,
      404: UNKNOWN,
      409: failure('Somebody else has changed it meanwhile'),
    },
  },
});
