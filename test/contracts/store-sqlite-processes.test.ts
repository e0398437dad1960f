// Runs the contract of several processes on one SQLite file.
import { sqlitePlace } from './store/open.ts';
import { processesContract } from './store/processes.ts';

processesContract('sqlite', sqlitePlace);
