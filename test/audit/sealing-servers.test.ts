// Tests the sealed audit log on PostgreSQL and D1. reference: Audit segments; decision: 039
import { describeService, postgresUrl } from '../support/services.ts';
import { openEmptyD1, openEmptyPostgres } from '../contracts/store/open.ts';
import { concurrencySuite } from './concurrency.ts';
import { edgeSuite, sealingSuite } from './sealing.ts';
import { tamperingSuite } from './tampering.ts';

await describeService('sealing on PostgreSQL', postgresUrl(), () => {
  tamperingSuite('PostgreSQL', openEmptyPostgres);
  sealingSuite('PostgreSQL', openEmptyPostgres);
  concurrencySuite();
});
edgeSuite('D1', openEmptyD1);
