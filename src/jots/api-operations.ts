// Describes the portal's routes of jots, and declares their bodies. reference: Portal API; Jot tools
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { access, password } from './integration.ts';

export const JotChange = z.strictObject({
  access: access.optional(),
  password: password.optional(),
  cors: z.boolean().optional(),
});

const jot = () =>
  z.object({
    name: z.string(),
    url: z.string(),
    access: z.enum(['public', 'password']),
    cors: z.boolean(),
    files: z.int(),
    bytes: z.int(),
    updatedAt: z.int().describe('Unix seconds'),
  });
const jotList = () => z.object({ jots: z.array(jot()) });
export type JotAnswer = z.infer<ReturnType<typeof jot>>;
export type JotList = z.infer<ReturnType<typeof jotList>>;

const MISSING = failure('You have no jot of this name');

export const jotOperations: Operations = () => ({
  'GET /api/jots': {
    id: 'listJots',
    tag: 'Jots',
    summary: 'List your published pages',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('Your jots', jotList()) },
  },
  'PATCH /api/jots/:name': {
    id: 'changeJot',
    tag: 'Jots',
    summary: 'Change who may see a jot',
    access: 'write',
    caller: 'portal',
    body: { schema: JotChange, example: { access: 'password', password: 'correct horse' } },
    replies: {
      200: reply('The jot', jot()),
      400: failure('A bad body, or a password that does not go with the access'),
      404: MISSING,
      429: failure('Too many keys and passwords of the person wait to be hashed'),
    },
  },
  'DELETE /api/jots/:name': {
    id: 'deleteJot',
    tag: 'Jots',
    summary: 'Delete a jot',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: succeeded('Its address answers 404 from now on'), 404: MISSING },
  },
});
