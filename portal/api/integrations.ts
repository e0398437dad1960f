// Lists integrations and connections, and disconnects. reference: Portal API
import { request } from './client.ts';
import type { Connection, Integration } from './types.ts';

export async function fetchIntegrations(): Promise<Integration[]> {
  return (await request<{ integrations: Integration[] }>('/api/integrations')).integrations;
}

export async function fetchConnections(): Promise<Connection[]> {
  return (await request<{ connections: Connection[] }>('/api/connections')).connections;
}

export function disconnect(name: string): Promise<unknown> {
  return request(`/api/connections/${encodeURIComponent(name)}`, { method: 'DELETE' });
}
