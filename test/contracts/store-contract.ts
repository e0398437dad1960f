// Tests what every store must do, on each real engine.
import { afterAll, beforeAll, describe } from 'vitest';
import type { StoreOptions } from '../../drivers/sql/store.ts';
import type { Store } from '../../src/ports/store.ts';
import { accountsContract } from './store/accounts.ts';
import { agentKeysContract } from './store/agent-keys.ts';
import { approvalsContract } from './store/approvals.ts';
import { auditContract } from './store/audit.ts';
import { auditPushesContract } from './store/audit-pushes.ts';
import { callDetailsContract } from './store/call-details.ts';
import { connectionsContract } from './store/connections.ts';
import { directoryContract } from './store/directory.ts';
import { eventForwardsContract, eventsContract } from './store/events.ts';
import { executionKeysContract } from './store/execution-keys.ts';
import { importPagesContract } from './store/import-pages.ts';
import { importsContract } from './store/imports.ts';
import { jotsContract } from './store/jots.ts';
import { machinesContract } from './store/machines.ts';
import { outsideReadsContract } from './store/outside-reads.ts';
import { ownersContract, peopleContract } from './store/people.ts';
import { policiesContract } from './store/policies.ts';
import { tasksContract } from './store/tasks.ts';
import { teamContract } from './store/team.ts';
import { providerClientsContract } from './store/provider-clients.ts';
import { questionsContract } from './store/questions.ts';
import { refreshTokensContract } from './store/refresh-tokens.ts';
import { outboxContract } from './store/outbox.ts';
import { scriptsContract } from './store/scripts.ts';
import { actorsContract } from './store/actors.ts';
import { setsContract } from './store/sets.ts';
import { singleUseContract } from './store/single-use.ts';
import { swapContract } from './store/swap.ts';
import { usageContract } from './store/usage.ts';
import { firstUserContract, usersContract } from './store/users.ts';
import { credentialStateContract } from './store/credential-state.ts';

export interface OpenStore {
  store: Store;
  close(): Promise<void>;
}

export type OpenAny = (options?: StoreOptions) => Promise<OpenStore>;

export function storeContract(name: string, open: OpenAny): void {
  describe(`store contract: ${name}`, () => {
    let opened: OpenStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const store = () => opened.store;

    usersContract(store);
    firstUserContract(open);
    peopleContract(store);
    ownersContract(open);
    connectionsContract(store);
    accountsContract(store);
    credentialStateContract(store);
    singleUseContract(store);
    refreshTokensContract(store);
    providerClientsContract(store);
    importsContract(store);
    importPagesContract(store);
    jotsContract(store);
    agentKeysContract(store);
    machinesContract(store);
    policiesContract(store);
    teamContract(store);
    directoryContract(store);
    approvalsContract(store);
    outsideReadsContract(store);
    questionsContract(store);
    tasksContract(store);
    outboxContract(store);
    actorsContract(store);
    setsContract(store);
    scriptsContract(store);
    auditContract(store);
    auditPushesContract(store);
    callDetailsContract(store);
    eventsContract(store);
    eventForwardsContract(store);
    executionKeysContract(store);
    usageContract(open);
    swapContract(store);
  });
}
