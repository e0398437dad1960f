// Lists integrations and connections, tests connections and ends them. reference: Portal API
import type { CatalogEntry, DescribedIntegration } from '../../src/search/catalog/operations.ts';
import type { ConnectionState, DisconnectAnswer } from '../../src/connections/operations.ts';
import type { OfferedWay } from '../../src/connections/model/schemas.ts';
import { request } from './client.ts';

export type Integration = CatalogEntry;
export type AuthType = Integration['authType'];
export type { OfferedWay };
export type SignInWay = Extract<OfferedWay, { kind: 'oauth2' }>;
export type TokenWay = Extract<OfferedWay, { kind: 'token' }>;
/** What the rules decide about a tool. */
export type DecidedTool = Omit<DescribedIntegration['tools'][number], 'description'>;
export type Connection = ConnectionState;
/** The state of a connection's credentials. decision: 026 */
export type Health = NonNullable<Connection['health']>;
export type Status = NonNullable<Connection['status']>;
export type TeamUse = NonNullable<Connection['team']>;
/** What became of the credential at the provider. */
export type Disconnected = DisconnectAnswer;

export async function fetchIntegrations(): Promise<Integration[]> {
  return (await request<{ integrations: Integration[] }>('/api/integrations')).integrations;
}

export async function fetchWays(name: string): Promise<readonly OfferedWay[]> {
  const path = `/api/integrations/${encodeURIComponent(name)}`;
  return (await request<DescribedIntegration>(path)).ways;
}

export async function fetchDecisions(name: string): Promise<readonly DecidedTool[]> {
  const path = `/api/integrations/${encodeURIComponent(name)}`;
  return (await request<DescribedIntegration>(path)).tools;
}

export async function fetchGuide(name: string): Promise<string> {
  const path = `/api/integrations/${encodeURIComponent(name)}`;
  return (await request<DescribedIntegration>(path)).guide ?? '';
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
