// The store on PostgreSQL.
import { describeService, postgresUrl } from '../support/services.ts';
import { openEmptyPostgres, postgresPlace, storeOn } from './store/open.ts';
import { processesContract } from './store/processes.ts';
import { storeContract } from './store-contract.ts';

await describeService('store on PostgreSQL', postgresUrl(), () => {
  storeContract('postgres', () => storeOn(openEmptyPostgres()));
  processesContract('postgres', postgresPlace);
});
