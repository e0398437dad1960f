// Runs the contract of pending connections on each database engine.
import { createSqlPending } from '../../drivers/pending/sql.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { pendingContract } from './pending-contract.ts';
import { openEmptyD1, openEmptyPostgres, openEmptySqlite, type OpenEngine } from './store/open.ts';

const on = (open: () => Promise<OpenEngine>) => async (clock: Clock) => {
  const { engine, close } = await open();
  return { pending: createSqlPending(engine, clock), close };
};

pendingContract('sqlite', on(openEmptySqlite));
pendingContract('d1', on(openEmptyD1));
await describeService('pending connections on PostgreSQL', postgresUrl(), () => {
  pendingContract('postgres', on(openEmptyPostgres));
});
