// Loses processes between the receipt of an event and its reader, on PostgreSQL, and on D1 in a real workerd. reference: Event
// subscriptions
import { describe, vi } from 'vitest';
import { openEmptyD1, openEmptyPostgres, storeOn } from '../contracts/store/open.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { deathsContract } from './deaths-contract.ts';

vi.setConfig({ testTimeout: 120_000 });

await describeService('events on PostgreSQL', postgresUrl(), () =>
  deathsContract(() => storeOn(openEmptyPostgres())),
);
describe('events on D1', () => deathsContract(() => storeOn(openEmptyD1())));
