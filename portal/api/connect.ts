// spec: Connecting an integration; Connect-link endpoints
import { request } from './client.ts';
import type { ApiKeyField } from './types.ts';

export async function fetchKeyFields(integration: string): Promise<ApiKeyField[]> {
  return (await request<{ fields: ApiKeyField[] }>(`/api/auth/${encodeURIComponent(integration)}`)).fields;
}

/** The provider's own address, where a person allows the gateway in. */
export async function startOAuth(integration: string, instanceUrl: string): Promise<string> {
  const query = instanceUrl === '' ? '' : `?${new URLSearchParams({ instanceUrl }).toString()}`;
  return (await request<{ url: string }>(`/api/auth/${encodeURIComponent(integration)}${query}`)).url;
}

export function saveKey(integration: string, values: Record<string, string>): Promise<unknown> {
  return request(`/api/auth/apikey/${encodeURIComponent(integration)}`, { method: 'POST', body: { values } });
}

export function importSession(integration: string, session: unknown, instanceUrl: string): Promise<unknown> {
  return request(`/api/integrations/${encodeURIComponent(integration)}/session/import`, {
    method: 'POST',
    body: { session, ...(instanceUrl === '' ? {} : { instanceUrl }) },
  });
}

export async function redeemLink(token: string, instanceUrl: string): Promise<string> {
  const body = { token, ...(instanceUrl === '' ? {} : { instanceUrl }) };
  const options = { method: 'POST', body, refusesMore: true } as const;
  return (await request<{ url: string }>('/api/connect/redeem', options)).url;
}
