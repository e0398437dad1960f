// One row per integration whose OAuth client an administrator has set, and per import with clients at providers.
import type { ProviderClient } from '../../src/ports/records.ts';
import type { ProviderClients } from '../../src/ports/store.ts';
import { columns, prepare, setToExcluded, values } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createProviderClients({ db, all, one, change }: Sql): ProviderClients {
  const clients = db.selectFrom('provider_clients').select(columns('provider_clients'));
  const get = prepare((p: { integration: string }) => clients.where('integration', '=', p.integration));
  const list = prepare(() => clients.where('integration', 'not like', 'import:%').orderBy('integration'));
  const page = prepare((p: { after: string; limit: number }) =>
    clients.where('integration', '>', p.after).orderBy('integration').limit(p.limit),
  );
  const put = prepare((p: ProviderClient) =>
    db
      .insertInto('provider_clients')
      .values(values('provider_clients', p))
      .onConflict((conflict) =>
        conflict.column('integration').doUpdateSet(setToExcluded('provider_clients', 'integration')),
      ),
  );
  const swap = prepare((p: { integration: string; seen: string; next: string }) =>
    db
      .updateTable('provider_clients')
      .set({ sealed_client: p.next })
      .where('integration', '=', p.integration)
      .where('sealed_client', '=', p.seen),
  );
  const remove = prepare((p: { integration: string }) =>
    db.deleteFrom('provider_clients').where('integration', '=', p.integration),
  );

  return {
    get: (integration) => one(get({ integration })),
    list: () => all(list({})),
    // No key is empty.
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    async put(client) {
      await change(put(client));
    },
    swapSealed: async (integration, seen, next) => (await change(swap({ integration, seen, next }))) === 1,
    delete: async (integration) => (await change(remove({ integration }))) === 1,
  };
}
