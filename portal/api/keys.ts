// spec: API keys
import { request } from './client.ts';

export async function fetchHasKey(): Promise<boolean> {
  return (await request<{ hasKey: boolean }>('/api/keys')).hasKey;
}

/** Where another window has made one already it stays: a new one would be its end. */
export async function makeKey(): Promise<void> {
  if (!(await fetchHasKey())) await rotateKey();
}

export async function rotateKey(): Promise<void> {
  await request('/api/keys', { method: 'POST' });
}

export async function revealKey(): Promise<string> {
  return (await request<{ apiKey: string }>('/api/keys/reveal')).apiKey;
}

export function deleteKey(): Promise<unknown> {
  return request('/api/keys', { method: 'DELETE' });
}
