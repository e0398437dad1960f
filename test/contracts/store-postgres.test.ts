// The store on PostgreSQL, on Node and on workerd.
import { describe, expect, it } from 'vitest';
import { startPostgresWorker } from '../support/d1/harness.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { openEmptyPostgres, postgresPlace, storeOn } from './store/open.ts';
import { processesContract } from './store/processes.ts';
import { storeContract } from './store-contract.ts';

await describeService('store on PostgreSQL', postgresUrl(), () => {
  storeContract('postgres', () => storeOn(openEmptyPostgres()));
  processesContract('postgres', postgresPlace);

  describe('from a Worker', () => {
    it('each request opens it, uses it and closes it', async () => {
      const schema = await createPostgresSchema();
      const harness = await startPostgresWorker(schema.url);
      const ask = async () => (await harness.fetch('/?email=someone@example.com')).json();
      const first = await ask();
      expect(first).toMatchObject({ email: 'someone@example.com', created_at: 2 ** 33, is_admin: false });
      expect(await ask()).toStrictEqual(first);
      await harness.close();
      await schema.drop();
    });
  });
});
