// Finds the client of an id: a registered one, or, where that is enabled, a document at an https address.
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import type { OAuthClient } from '../ports/records.ts';
import { createClientDocuments, isDocumentAddress } from './client-documents.ts';

export interface Clients {
  resolve(clientId: string): Promise<OAuthClient | null>;
  /** Whether an id can belong to a client, without asking another server. */
  isKnown(clientId: string): Promise<boolean>;
  /** Stores the name that a person has agreed to, unless registration has stored it. */
  remember(client: OAuthClient): Promise<void>;
}

export function createClients(
  deps: Pick<Ports, 'clock' | 'config' | 'log' | 'store'> & { egress: Egress },
): Clients {
  const { config, store } = deps;
  const documents = createClientDocuments(deps);

  return {
    async resolve(clientId) {
      if (!isDocumentAddress(clientId)) return store.clients.get(clientId);
      return config.OAUTH_CIMD ? documents.get(clientId) : null;
    },
    async isKnown(clientId) {
      if (isDocumentAddress(clientId)) return config.OAUTH_CIMD;
      return (await store.clients.get(clientId)) !== null;
    },
    async remember(client) {
      if (isDocumentAddress(client.client_id)) await store.clients.put(client);
    },
  };
}
