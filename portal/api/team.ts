// Reads and changes the connections of the team. reference: Team connections
import type { TeamChange, TeamConnectionsAnswer, TeamState } from '../../src/connections/team-operations.ts';
import { request } from './client.ts';
import type { Disconnected } from './integrations.ts';

export type TeamConnection = TeamState;
export type { TeamChange };

const ALL = '/api/admin/team-connections';
const pathOf = (integration: string): string => `${ALL}/${encodeURIComponent(integration)}`;

export async function fetchTeamConnections(): Promise<TeamConnection[]> {
  return (await request<TeamConnectionsAnswer>(ALL)).connections;
}

export function changeTeamConnection(integration: string, change: TeamChange): Promise<TeamConnection> {
  return request(pathOf(integration), { method: 'PATCH', body: change });
}

export function checkTeamConnection(integration: string): Promise<TeamConnection> {
  return request(`${pathOf(integration)}/check`, { method: 'POST' });
}

export function disconnectTeam(integration: string): Promise<Disconnected> {
  return request(`${pathOf(integration)}?revoke=true`, { method: 'DELETE' });
}
