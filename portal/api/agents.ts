// Lists and revokes agents. reference: Portal API
import { request } from './client.ts';
import type { Agent } from './types.ts';

export async function fetchAgents(): Promise<Agent[]> {
  return (await request<{ agents: Agent[] }>('/api/agents')).agents;
}

export function revokeAgent(clientId: string): Promise<unknown> {
  return request(`/api/agents/${encodeURIComponent(clientId)}`, { method: 'DELETE' });
}
