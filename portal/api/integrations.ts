// Lists integrations and connections, tests connections and ends them. reference: Portal API
import { request } from './client.ts';
import type { Connection, Decision, Disconnected, Integration, OfferedWay } from './types.ts';

export async function fetchIntegrations(): Promise<Integration[]> {
  return (await request<{ integrations: Integration[] }>('/api/integrations')).integrations;
}

export async function fetchWays(name: string): Promise<readonly OfferedWay[]> {
  const path = `/api/integrations/${encodeURIComponent(name)}`;
  return (await request<{ ways?: readonly OfferedWay[] }>(path)).ways ?? [];
}

/** What the rules decide about a tool. */
export interface DecidedTool {
  name: string;
  /** Absent for a tool that is allowed. */
  decision?: Exclude<Decision, 'allow'>;
  decidedBy?: 'everyone' | 'person' | 'caller';
}

export async function fetchDecisions(name: string): Promise<readonly DecidedTool[]> {
  const path = `/api/integrations/${encodeURIComponent(name)}`;
  return (await request<{ tools: DecidedTool[] }>(path)).tools;
}

export async function fetchConnections(): Promise<Connection[]> {
  return (await request<{ connections: Connection[] }>('/api/connections')).connections;
}

/** Asks the provider now. */
export function checkConnection(name: string): Promise<Connection> {
  return request(`/api/connections/${encodeURIComponent(name)}/check`, { method: 'POST' });
}

/** Deletes the credential, and ends it at the provider where that is possible. */
export function disconnect(name: string): Promise<Disconnected> {
  return request(`/api/connections/${encodeURIComponent(name)}?revoke=true`, { method: 'DELETE' });
}
