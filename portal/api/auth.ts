// Fetches the person and the sign-in providers, and signs out. reference: Portal sign-in
import { request } from './client.ts';
import type { Me } from './types.ts';

export function fetchMe(): Promise<Me> {
  return request('/api/auth/me');
}

export function postLogout(): Promise<unknown> {
  return request('/api/auth/logout', { method: 'POST' });
}

export async function fetchProviders(): Promise<string[]> {
  return (await request<{ providers: string[] }>('/api/auth/providers')).providers;
}

/** Returns the provider's address, where the person signs in. */
export async function fetchProviderUrl(provider: string): Promise<string> {
  return (await request<{ url: string }>(`/api/auth/${encodeURIComponent(provider)}`)).url;
}
