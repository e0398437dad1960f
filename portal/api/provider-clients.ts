// Reads and sets the OAuth clients of integrations, for administrators. reference: OAuth clients of integrations
import type { ClientForm, ShownClient } from '../../src/connections/client-operations.ts';
import { ApiError, request } from './client.ts';

/** The OAuth client of an integration, without its secret. */
export type ProviderClient = ShownClient;
export type ProviderClientForm = ClientForm;

/** What this person may see of a client. */
export type SeenClient =
  | { kind: 'member' }
  | { kind: 'none' }
  /** A client is stored, and no key of the gateway opens it. */
  | { kind: 'unreadable' }
  | { kind: 'set'; client: ProviderClient };

const pathOf = (integration: string) => `/api/admin/clients/${encodeURIComponent(integration)}`;

export async function fetchProviderClient(integration: string): Promise<SeenClient> {
  try {
    return { kind: 'set', client: await request<ProviderClient>(pathOf(integration)) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    switch (error.status) {
      case 403:
        return { kind: 'member' };
      case 404:
        return { kind: 'none' };
      case 409:
        return { kind: 'unreadable' };
      default:
        throw error;
    }
  }
}

export function saveProviderClient(integration: string, body: ProviderClientForm): Promise<ProviderClient> {
  return request(pathOf(integration), { method: 'PUT', body });
}

/** `isFamily` deletes the client of all integrations of the same provider. */
export function deleteProviderClient(integration: string, isFamily: boolean): Promise<unknown> {
  return request(`${pathOf(integration)}${isFamily ? '?for=family' : ''}`, { method: 'DELETE' });
}
