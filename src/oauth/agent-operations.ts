// Describes the routes of the connected agents, and declares their bodies and answers. reference: Agents
import * as z from 'zod';
import { failure, type Operations, reply } from '../http/operation.ts';
import { PauseForm } from '../policy/model/pause-form.ts';
import { EndingLimits, shownLimits } from '../policy/model/ending-limits.ts';

export const agent = () =>
  z.object({
    client_id: z.string(),
    client_name: z.string().exactOptional(),
    scopes: z.array(z.string()),
    connected_since: z.int().describe('Unix seconds'),
    expires_at: z.int().describe('Unix seconds'),
    limits: shownLimits().describe('Empty where nothing is limited'),
    last_used_at: z.int().nullable().describe('Unix seconds, to the minute'),
    paused_at: z.int().exactOptional().describe('Unix seconds; absent while the agent works'),
  });
const revocation = () => z.object({ revoked: z.int().describe('How many tokens were deleted') });
/** A client with live refresh tokens of the person. */
export type Agent = z.infer<ReturnType<typeof agent>>;
export type Revocation = z.infer<ReturnType<typeof revocation>>;

export const agentOperations: Operations = () => ({
  'GET /api/agents': {
    id: 'listAgents',
    tag: 'Agents',
    summary: 'List the agents that signed in as you',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('One row for each client', z.object({ agents: z.array(agent()) })) },
  },
  'PATCH /api/agents/:clientId': {
    id: 'limitAgent',
    tag: 'Agents',
    summary: 'Limit what an agent may do',
    description:
      'Replaces all limits; an empty object removes them. They hold for the next call of its tokens, and calls that were approved and have not run are asked about again.',
    access: 'write',
    caller: 'session',
    body: { schema: EndingLimits, example: { integrations: ['github'], access: 'read' } },
    replies: {
      200: reply('The agent', agent()),
      400: failure('A bad limit or time'),
      404: failure('No agent with this id is signed in as you'),
    },
  },
  'PUT /api/agents/:clientId/paused': {
    id: 'pauseAgent',
    tag: 'Agents',
    summary: 'Pause an agent, or let it go on',
    description:
      'A paused agent is refused with 403 and the code `PAUSED` at every door and in every process, a second later at most. Its sign-in stays.',
    access: 'write',
    caller: 'session',
    body: { schema: PauseForm, example: { paused: true } },
    replies: {
      200: reply('The agent', agent()),
      400: failure('A bad body'),
      404: failure('No agent with this id is signed in as you'),
    },
  },
  'DELETE /api/agents/:clientId': {
    id: 'revokeAgent',
    tag: 'Agents',
    summary: 'Revoke the tokens of an agent',
    description:
      'Issued access tokens stay valid until they expire, but those of an agent with limits stop working at once. The limits end too.',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: reply('Also for an unknown agent', revocation()) },
  },
});
