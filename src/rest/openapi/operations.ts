// Describes the routes of the descriptions themselves. reference: OpenAPI
import * as z from 'zod';
import { failure, type Operations, reply } from '../../http/operation.ts';

const description = () =>
  z.looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) });

export const openApiOperations: Operations = () => ({
  'GET /openapi.json': {
    id: 'getOpenApi',
    tag: 'Descriptions',
    summary: 'This description',
    access: 'read',
    caller: 'anyone',
    replies: { 200: reply('OpenAPI 3.1', description()) },
  },
  'GET /rest/:integration/openapi.json': {
    id: 'getIntegrationOpenApi',
    tag: 'Descriptions',
    summary: 'Describe an integration, with an operation for each tool',
    access: 'read',
    caller: 'machine',
    replies: {
      200: reply('OpenAPI 3.1', description()),
      403: reply(
        'Your rules or limits allow nothing of this integration',
        z.object({ error: z.literal('BLOCKED'), integration: z.string(), message: z.string() }),
      ),
      404: reply('Unknown integration', z.object({ error: z.string(), integration: z.string() })),
    },
  },
  'GET /sets/:name/openapi.json': {
    id: 'getSetOpenApi',
    tag: 'Descriptions',
    summary: 'Describe a set, with an operation for each tool',
    access: 'read',
    caller: 'machine',
    replies: {
      200: reply('OpenAPI 3.1', description()),
      404: failure('You have no such set, and the team has none'),
    },
  },
  'GET /llms.txt': {
    id: 'getLlmsText',
    tag: 'Descriptions',
    summary: 'How an agent or a script uses the gateway',
    access: 'read',
    caller: 'anyone',
    replies: { 200: { description: 'A short text', schema: z.string(), mediaType: 'text/plain' } },
  },
});
