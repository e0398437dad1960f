// Who a client id means: one that registered here, or, where that is on, a document at an https address.
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import type { OAuthClient } from '../ports/records.ts';
import { createClientDocuments, isDocumentAddress } from './client-documents.ts';

export interface Clients {
  resolve(clientId: string): Promise<OAuthClient | null>;
  /** Whether an id stands for a client at all, without asking anybody else. */
  isKnown(clientId: string): Promise<boolean>;
  /** Keeps the name a person has agreed to, where registering did not already. */
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
