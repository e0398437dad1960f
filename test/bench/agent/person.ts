// Plays the person at the browser: connects an integration as the provider's consent page would, and disconnects it.
import type { Gateway } from '../servers.ts';

export interface Person {
  /** Follows the address that an agent shows, and agrees. */
  consent(integration: string, authorizeUrl: string): Promise<void>;
  connect(integration: string): Promise<void>;
  disconnect(integration: string): Promise<void>;
}

export function createPerson({ url: base, apiKey }: Pick<Gateway, 'url' | 'apiKey'>): Person {
  async function api(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { 'x-service-api-key': apiKey };
    const response = await fetch(new URL(path, base), { ...init, headers, redirect: 'manual' });
    if (response.status >= 400) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
    return response;
  }

  async function consent(integration: string, authorizeUrl: string): Promise<void> {
    const state = new URL(authorizeUrl).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'bench', state });
    await api(`/api/auth/plugin/${integration}/callback?${query}`);
  }

  return {
    consent,
    async connect(integration) {
      const { url } = await (await api(`/api/auth/${integration}`)).json();
      await consent(integration, url);
    },
    async disconnect(integration) {
      await api(`/api/connections/${integration}`, { method: 'DELETE' });
    },
  };
}
