// Describes the routes of named keys, and declares their bodies and answers. reference: Named keys
import * as z from 'zod';
import { AGENT_KEYS_PER_PERSON } from '../auth/limits.ts';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { PauseForm } from './model/pause-form.ts';
import { EndingLimits, shownLimits } from './model/ending-limits.ts';
import { shownText } from '../kit/shown-text.ts';

const MAX_NAME_LENGTH = 100;

export const KeyForm = EndingLimits.extend({
  name: z
    .string()
    .max(MAX_NAME_LENGTH)
    .transform((name) => shownText(name) ?? '')
    .refine((name) => name !== '', { error: 'is empty' }),
});
export type KeyForm = z.input<typeof KeyForm>;

const agentKey = () =>
  shownLimits().extend({
    id: z.string(),
    name: z.string(),
    expiresAt: z.int().exactOptional(),
    createdAt: z.int().describe('Unix seconds'),
    lastUsedAt: z.int().nullable().describe('To the minute'),
    pausedAt: z.int().exactOptional().describe('Absent while the key works'),
  });
const newKey = () =>
  agentKey().extend({ key: z.string().describe('Shown this once: `agk_` and 64 hex digits') });
const keyList = () => z.object({ keys: z.array(agentKey()) });
export type ShownKey = z.infer<ReturnType<typeof agentKey>>;
export type NewKey = z.infer<ReturnType<typeof newKey>>;
export type KeyList = z.infer<ReturnType<typeof keyList>>;

export const keyOperations: Operations = () => ({
  'GET /api/agent-keys': {
    id: 'listAgentKeys',
    tag: 'Permissions',
    summary: 'List your named keys',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The keys without their secrets, newest first', keyList()) },
  },
  'POST /api/agent-keys': {
    id: 'createAgentKey',
    tag: 'Permissions',
    summary: 'Create a named key for one agent',
    access: 'write',
    caller: 'session',
    body: { schema: KeyForm, example: { name: 'Reader', integrations: ['github'], access: 'read' } },
    replies: {
      201: reply('The new key', newKey()),
      400: failure('A bad name, limit or time, or an unknown integration'),
      404: failure('The user is gone'),
      409: failure(`You have ${AGENT_KEYS_PER_PERSON} keys`),
    },
  },
  'PATCH /api/agent-keys/:id': {
    id: 'changeAgentKey',
    tag: 'Permissions',
    summary: 'Change the name and the limits of a named key',
    description:
      'Replaces the name and all limits; the key itself stays. They hold for its next call, and calls that were approved and have not run are asked about again.',
    access: 'write',
    caller: 'session',
    body: { schema: KeyForm, example: { name: 'Reader', integrations: ['github'], access: 'read' } },
    replies: {
      200: reply('The key', agentKey()),
      400: failure('A bad name, limit or time, or an unknown integration'),
      404: failure('You have no such key'),
    },
  },
  'PUT /api/agent-keys/:id/paused': {
    id: 'pauseAgentKey',
    tag: 'Permissions',
    summary: 'Pause a named key, or let it go on',
    description: 'A paused key is refused with 403 and the code `PAUSED` at every door.',
    access: 'write',
    caller: 'session',
    body: { schema: PauseForm, example: { paused: true } },
    replies: {
      200: reply('The key', agentKey()),
      400: failure('A bad body'),
      404: failure('You have no such key'),
    },
  },
  'DELETE /api/agent-keys/:id': {
    id: 'deleteAgentKey',
    tag: 'Permissions',
    summary: 'Delete a named key',
    access: 'destroy',
    caller: 'session',
    replies: { 200: succeeded('The key does not work any more'), 404: failure('You have no such key') },
  },
});
