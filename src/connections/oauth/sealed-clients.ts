// Reads the sealed OAuth clients that administrators have entered. decision: 024
import { pagesOf, type SealedRow } from '../../kit/sealed-row.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ProviderClient } from '../../ports/records.ts';
import type { Store } from '../../ports/store.ts';
import { placeOfClient } from './registered-clients.ts';

export const sealedClients = ({ store: { providerClients } }: Pick<Ports, 'store'>) =>
  pagesOf<ProviderClient>(
    (after, limit) => providerClients.page(after?.integration ?? null, limit),
    (row) => clientRow(providerClients, row),
  );

function clientRow(
  clients: Store['providerClients'],
  { integration, sealed_client: seen }: ProviderClient,
): SealedRow {
  return {
    values: [{ text: seen, place: placeOfClient(integration) }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && clients.swapSealed(integration, seen, next),
    async again() {
      const now = await clients.get(integration);
      return now === null ? null : clientRow(clients, now);
    },
  };
}
