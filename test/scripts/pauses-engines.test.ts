// Runs the table of pauses on PostgreSQL, and on D1 in a real workerd. reference: Scripts; decision: 059
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { openEmptyD1, openEmptyPostgres, storeOn } from '../contracts/store/open.ts';
import type { OpenStore } from '../contracts/store-contract.ts';
import { openScripts } from '../support/script-stand.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { pausesContract } from './pauses-contract.ts';

vi.setConfig({ testTimeout: 120_000 });

function pausesOn(open: () => Promise<OpenStore>): void {
  let opened: OpenStore;
  beforeAll(async () => {
    opened = await open();
  }, 180_000);
  afterAll(() => opened.close());
  pausesContract(() => openScripts({ store: opened.store }));
}

await describeService('pauses on PostgreSQL', postgresUrl(), () =>
  pausesOn(() => storeOn(openEmptyPostgres())),
);
describe('pauses on D1', () => pausesOn(() => storeOn(openEmptyD1())));
