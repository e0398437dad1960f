// Tests the application in one Node process with everything embedded.
import { startOnNode } from './app/on-node.ts';
import { appContract } from './app-contract.ts';

appContract('Node, SQLite and files', startOnNode);
