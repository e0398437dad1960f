// Finds the client of an id: a registered one, or, where that is enabled, a document at an https address.
import type { Egress } from '../egress/door.ts';
import { UNUSED_CLIENTS_KEPT } from './limits.ts';
import type { Ports } from '../ports/ports.ts';
import type { OAuthClient } from '../ports/records.ts';
import { createClientDocuments, isDocumentAddress } from './client-documents.ts';
import type { Registrations } from './registrations.ts';

export interface Clients {
  resolve(clientId: string): Promise<OAuthClient | null>;
  /** Whether an id can belong to a client, without asking another server. */
  isKnown(clientId: string): Promise<boolean>;
  /** Stores a new client. The oldest of too many that nobody has used are deleted. decision: 020 */
  register(client: OAuthClient): Promise<void>;
  /** Notes that a person has let the client in, and stores its name unless registration has stored it. */
  remember(client: OAuthClient): Promise<void>;
}

export function createClients(
  deps: Pick<Ports, 'clock' | 'config' | 'log' | 'store'> & { egress: Egress; registrations: Registrations },
): Clients {
  const { clock, config, store, registrations } = deps;
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
    async register(client) {
      const { turn, trims } = registrations.next();
      await store.clients.register(client, turn);
      if (trims) await store.clients.trim(UNUSED_CLIENTS_KEPT);
    },
    async remember(client) {
      if (isDocumentAddress(client.client_id)) await store.clients.put(client);
      await store.clients.use(client.client_id, clock.now());
    },
  };
}
