// Connects integrations. reference: Connecting an integration; Connect links
import { request } from './client.ts';
import type { ApiKeyField } from './types.ts';

export async function fetchKeyFields(integration: string): Promise<ApiKeyField[]> {
  return (await request<{ fields: ApiKeyField[] }>(`/api/auth/${encodeURIComponent(integration)}`)).fields;
}

/** Returns the session as the gateway stores it, as the text of a file. */
export async function exportSession(integration: string): Promise<string> {
  const path = `/api/integrations/${encodeURIComponent(integration)}/session/export`;
  return JSON.stringify(await request(path), null, 2);
}

/** Returns the provider's address, where the person approves the gateway. */
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

/** Tells where a connect link leads: to the provider's address, or to a browser that already opens the login page. */
export type Redeemed =
  | { type: 'oauth2'; url: string }
  | { type: 'cookie' | '__browser__'; loginUrl?: string };

export function redeemLink(
  token: string,
  instanceUrl: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Redeemed> {
  const body = { token, ...(instanceUrl === '' ? {} : { instanceUrl }) };
  return request('/api/connect/redeem', { method: 'POST', body, headers, refusesMore: true });
}
