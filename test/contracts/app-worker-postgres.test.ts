// Tests the application at the edge on PostgreSQL through Hyperdrive, with a Node gateway behind it on the
// same database.
import { createPostgresDatabase, describeService, postgresUrl } from '../support/services.ts';
import { startWorker } from '../support/worker.ts';
import { startOnNode } from './app/on-node.ts';
import { appContract } from './app-contract.ts';

await describeService('the edge on PostgreSQL', postgresUrl(), () => {
  appContract('workerd, Hyperdrive and PostgreSQL, with a Node origin', async (env) => {
    const database = await createPostgresDatabase();
    const node = await startOnNode(
      { ...env, DATABASE_URL: database.url, SERVER_PUBLIC_URL: 'http://localhost:3000' },
      database.drop,
    );
    const vars = { ...env, NODE_ORIGIN: node.origin };
    const worker = await startWorker({ vars, postgres: database.url });
    return {
      ...worker,
      proxies: true,
      async close() {
        await worker.close();
        await node.close();
      },
    };
  });
});
