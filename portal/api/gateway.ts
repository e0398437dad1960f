// Lists the OAuth clients of integrations and the registered MCP clients of the whole gateway. reference: Administration of people
import { request } from './client.ts';

export interface ListedClient {
  integration: string;
  /** Null when no key of the gateway opens the stored client. */
  clientId: string | null;
  source: 'portal' | 'environment';
}

export interface RegisteredAgent {
  id: string;
  name: string | null;
  /** How many people have let it in. */
  people: number;
  /** Unix seconds. */
  createdAt: number;
  lastUsedAt?: number;
}

export interface RegisteredAgents {
  agents: RegisteredAgent[];
  nextCursor?: string;
}

export async function fetchProviderClients(): Promise<ListedClient[]> {
  return (await request<{ clients: ListedClient[] }>('/api/admin/clients')).clients;
}

export function fetchRegisteredAgents(cursor?: string): Promise<RegisteredAgents> {
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;
  return request(`/api/admin/agents${query}`);
}

export function removeRegisteredAgent(id: string): Promise<unknown> {
  return request(`/api/admin/agents/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
