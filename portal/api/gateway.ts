// Lists the OAuth clients of integrations and the registered MCP clients of the whole gateway. reference: Administration of people
import type { ClientInList, ClientList } from '../../src/connections/client-operations.ts';
import type { RegisteredAgent, RegisteredAgents } from '../../src/people/overview-operations.ts';
import { request } from './client.ts';

export type ListedClient = ClientInList;
export type { RegisteredAgent, RegisteredAgents };

export async function fetchProviderClients(): Promise<ListedClient[]> {
  return (await request<ClientList>('/api/admin/clients')).clients;
}

export function fetchRegisteredAgents(cursor?: string): Promise<RegisteredAgents> {
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;
  return request(`/api/admin/agents${query}`);
}

export function removeRegisteredAgent(id: string): Promise<unknown> {
  return request(`/api/admin/agents/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
