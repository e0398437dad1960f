// Fetches the person and the sign-in providers, and signs out. reference: Portal sign-in
import type { Person } from '../../src/auth/operations.ts';
import type { ProviderList, SignInStart } from '../../src/login/operations.ts';
import { request } from './client.ts';

export type Me = Person;

export function fetchMe(): Promise<Me> {
  return request('/api/auth/me');
}

export function postLogout(): Promise<unknown> {
  return request('/api/auth/logout', { method: 'POST' });
}

export async function fetchProviders(): Promise<string[]> {
  return (await request<ProviderList>('/api/auth/providers')).providers;
}

export interface NamedProvider {
  provider: string;
  /** What people call it. */
  name: string;
}

export async function fetchNamedProviders(): Promise<NamedProvider[]> {
  const { providers, names } = await request<ProviderList>('/api/auth/providers?names=true');
  return providers.map((provider) => ({ provider, name: names?.[provider] ?? provider }));
}

/** Returns the provider's address, where the person signs in. */
export async function fetchProviderUrl(provider: string): Promise<string> {
  return (await request<SignInStart>(`/api/auth/${encodeURIComponent(provider)}`)).url;
}
