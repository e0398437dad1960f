// Describes the routes of the connected agents, and declares what they answer. reference: Agents
import * as z from 'zod';
import { type Operations, reply } from '../http/operation.ts';

const agent = () =>
  z.object({
    client_id: z.string(),
    client_name: z.string().exactOptional(),
    scopes: z.array(z.string()),
    connected_since: z.int().describe('Unix seconds'),
    expires_at: z.int().describe('Unix seconds'),
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
  'DELETE /api/agents/:clientId': {
    id: 'revokeAgent',
    tag: 'Agents',
    summary: 'Revoke the tokens of an agent',
    description: 'Access tokens that are out stay valid until they expire.',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: reply('Also for an unknown agent', revocation()) },
  },
});
