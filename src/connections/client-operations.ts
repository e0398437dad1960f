// Describes the routes of an administrator's OAuth clients, and declares their bodies. reference: OAuth clients of integrations
import * as z from 'zod';
import { singleOrigin } from '../config/config-fields.ts';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';

// RFC 6749 appendix A.1 and A.2 allow these characters.
const PRINTABLE = /^[\x20-\x7e]+$/;
const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'is empty' })
    .max(longest, { error: `is longer than ${longest} characters` })
    .regex(PRINTABLE, { error: 'must be made of ASCII letters, digits and signs' });
const MAX_INSTANCES = 50;

const Client = z.strictObject({
  clientId: line(512),
  clientSecret: line(2_048)
    .describe('Never answered again. Absent keeps the secret of a stored client with the same id')
    .optional(),
});
const isOrigin = (text: string) => singleOrigin.safeParse(text).data === text;

export const ClientForm = Client.extend({
  instances: z
    .record(z.string(), Client)
    .refine((instances) => Object.keys(instances).every(isOrigin), {
      error: 'must have origins such as https://git.example.com as keys',
    })
    .refine((instances) => Object.keys(instances).length <= MAX_INSTANCES, {
      error: `has more than ${MAX_INSTANCES} instances`,
    })
    .describe('The clients at other instances, by their origin')
    .optional(),
  for: z
    .literal('family')
    .describe('Sets one client for all integrations of the same provider that have none of their own')
    .optional(),
});
export type ClientForm = z.infer<typeof ClientForm>;

const shownClient = () =>
  z.object({
    integration: z.string(),
    clientId: z.string(),
    source: z.enum(['portal', 'environment']),
    family: z.string().describe('Set when the client is that of the family').exactOptional(),
    instances: z.array(z.object({ origin: z.string(), clientId: z.string() })).exactOptional(),
  });
const clientInList = () =>
  z.object({
    integration: z.string(),
    clientId: z.string().nullable().describe('Null when no encryption key opens the stored client'),
    source: z.enum(['portal', 'environment']),
    family: z.string().describe('Set when the client is that of the family').exactOptional(),
  });
const clientList = () => z.object({ clients: z.array(clientInList()) });
export type ClientInList = z.infer<ReturnType<typeof clientInList>>;
export type ClientList = z.infer<ReturnType<typeof clientList>>;
export type ShownClient = z.infer<ReturnType<typeof shownClient>>;

const CLIENT = reply('The client without its secret', shownClient());
const MEMBER = failure('The caller is not an administrator');
const ENVIRONMENT = failure('The environment of the gateway sets this client');

export const clientOperations: Operations = () => ({
  'GET /api/admin/clients': {
    id: 'listOAuthClients',
    tag: 'Administration',
    summary: 'List the OAuth clients of integrations',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply('The clients without their secrets', clientList()),
      403: MEMBER,
      404: failure('The user is gone'),
    },
  },
  'GET /api/admin/clients/:integration': {
    id: 'getOAuthClient',
    tag: 'Administration',
    summary: 'Show the OAuth client of an integration',
    access: 'read',
    caller: 'portal',
    replies: {
      200: CLIENT,
      403: MEMBER,
      404: failure('Unknown integration, one without OAuth, no client is set, or the user is gone'),
      409: failure('No encryption key opens the stored client'),
    },
  },
  'PUT /api/admin/clients/:integration': {
    id: 'setOAuthClient',
    tag: 'Administration',
    summary: 'Set the OAuth client of an integration',
    description: 'The client is stored sealed. All processes use it at once.',
    access: 'write',
    caller: 'portal',
    body: {
      schema: ClientForm,
      example: { clientId: 'Iv1.0123456789abcdef', clientSecret: 'the secret' },
    },
    replies: {
      200: CLIENT,
      400: failure('A value is missing or wrong'),
      403: MEMBER,
      404: failure('Unknown integration, one without OAuth, or the user is gone'),
      409: ENVIRONMENT,
    },
  },
  'DELETE /api/admin/clients/:integration': {
    id: 'deleteOAuthClient',
    tag: 'Administration',
    summary: 'Delete the OAuth client of an integration',
    description: 'Connections stay, and work until their tokens have to be refreshed.',
    access: 'destroy',
    caller: 'portal',
    query: z.object({
      for: z.literal('family').describe('Deletes the client of the family').optional(),
    }),
    replies: {
      200: succeeded('The client is deleted'),
      403: MEMBER,
      400: failure('The provider has no family'),
      404: failure('No client is stored, or the user is gone'),
      409: ENVIRONMENT,
    },
  },
});
