// Reads the state of the whole gateway, and lists the OAuth clients of integrations and the registered MCP clients.
// reference: State of the gateway; Administration of people
import type { ClientInList, ClientList } from '../../src/connections/client-operations.ts';
import type { GatewayState } from '../../src/maintenance/gateway-operations.ts';
import type { RegisteredAgent, RegisteredAgents } from '../../src/people/overview-operations.ts';
import { request } from './client.ts';

export type ListedClient = ClientInList;
export type { GatewayState, RegisteredAgent, RegisteredAgents };
export type Instrument = GatewayState['instruments'][number];

export const fetchGateway = (): Promise<GatewayState> => request('/api/admin/gateway');

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
