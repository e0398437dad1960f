// Reads and changes the connections of the team. reference: Team connections
import { request } from './client.ts';
import type { Access, Connection, Disconnected } from './types.ts';

export interface TeamPerson {
  id: string;
  /** Null for a person who is gone. */
  email: string | null;
}

export interface TeamConnection extends Pick<
  Connection,
  'health' | 'status' | 'cause' | 'since' | 'checkedAt' | 'account' | 'way'
> {
  integration: string;
  who: 'everyone' | TeamPerson[];
  access: Access;
  /** The administrator who connected it last. */
  connectedBy: TeamPerson | null;
  /** Unix seconds. */
  connectedAt: number;
  lastUsedAt?: number;
}

export interface TeamChange {
  /** People by id or e-mail address. */
  who?: 'everyone' | string[];
  access?: Access;
}

const ALL = '/api/admin/team-connections';
const pathOf = (integration: string): string => `${ALL}/${encodeURIComponent(integration)}`;

export async function fetchTeamConnections(): Promise<TeamConnection[]> {
  return (await request<{ connections: TeamConnection[] }>(ALL)).connections;
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
