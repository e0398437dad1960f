// spec: API keys
import { request } from './client.ts';

export async function fetchHasKey(): Promise<boolean> {
  return (await request<{ hasKey: boolean }>('/api/keys')).hasKey;
}

export async function mintKey(): Promise<string> {
  return (await request<{ apiKey: string }>('/api/keys', { method: 'POST' })).apiKey;
}

export async function revealKey(): Promise<string> {
  return (await request<{ apiKey: string }>('/api/keys/reveal')).apiKey;
}

export function deleteKey(): Promise<unknown> {
  return request('/api/keys', { method: 'DELETE' });
}
