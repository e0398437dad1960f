// Lists, limits, pauses and revokes agents. reference: Portal API
import type { Agent } from '../../src/oauth/agent-operations.ts';
import { request } from './client.ts';

export type { Agent };
export type Limits = Agent['limits'];

export async function fetchAgents(): Promise<Agent[]> {
  return (await request<{ agents: Agent[] }>('/api/agents')).agents;
}

export function revokeAgent(clientId: string): Promise<unknown> {
  return request(`/api/agents/${encodeURIComponent(clientId)}`, { method: 'DELETE' });
}

/** Replaces the limits as a whole. */
export function limitAgent(clientId: string, limits: Limits): Promise<Agent> {
  return request(`/api/agents/${encodeURIComponent(clientId)}`, { method: 'PATCH', body: limits });
}

export function pauseAgent(clientId: string, paused: boolean): Promise<Agent> {
  return request(`/api/agents/${encodeURIComponent(clientId)}/paused`, { method: 'PUT', body: { paused } });
}
