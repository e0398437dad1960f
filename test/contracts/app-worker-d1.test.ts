// Tests the application at the edge alone: workerd, D1 and R2.
import { startWorker } from '../support/worker.ts';
import { appContract } from './app-contract.ts';

appContract('workerd, D1 and R2', async (env) => ({ ...(await startWorker({ vars: env })), proxies: false }));
