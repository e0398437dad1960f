// Makes, shows, rotates and deletes the API key. reference: API keys
import type { ApiKey, KeyState } from '../../src/auth/operations.ts';
import { request } from './client.ts';

export async function fetchHasKey(): Promise<boolean> {
  return (await request<KeyState>('/api/keys')).hasKey;
}

/** Keeps a key that another window has just made: a new key would end it. */
export async function makeKey(): Promise<void> {
  if (!(await fetchHasKey())) await rotateKey();
}

export async function rotateKey(): Promise<void> {
  await request('/api/keys', { method: 'POST' });
}

export async function revealKey(): Promise<string> {
  return (await request<ApiKey>('/api/keys/reveal')).apiKey;
}

export function deleteKey(): Promise<unknown> {
  return request('/api/keys', { method: 'DELETE' });
}
