// Plays the person at the browser: connects an integration as the provider's consent page would, and disconnects it.
import type { Gateway } from '../servers.ts';

export interface Person {
  /** Follows the address that an agent shows, and agrees. */
  consent(integration: string, authorizeUrl: string): Promise<void>;
  connect(integration: string): Promise<void>;
  disconnect(integration: string): Promise<void>;
  /** Makes a rule that asks about a tool. */
  ask(tool: string): Promise<void>;
  /** Agrees to the question whose address a text has. */
  approve(text: string): Promise<void>;
}

export function createPerson({
  url: base,
  apiKey,
  session,
}: Pick<Gateway, 'url' | 'apiKey' | 'session'>): Person {
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

  async function inPortal(method: string, path: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
    const response = await fetch(new URL(path, base), { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
  }

  return {
    consent,
    ask: (tool) => inPortal('PUT', '/api/policy', { rules: [{ tool, decision: 'ask' }] }),
    async approve(text) {
      const id = /\/approvals\/([\w-]+)/.exec(text)?.[1];
      if (id === undefined) throw new Error(`there is no question in ${text.slice(0, 300)}`);
      await inPortal('POST', `/api/approvals/${id}`, { decision: 'approve' });
    },
    async connect(integration) {
      const { url } = await (await api(`/api/auth/${integration}`)).json();
      await consent(integration, url);
    },
    async disconnect(integration) {
      await api(`/api/connections/${integration}`, { method: 'DELETE' });
    },
  };
}
