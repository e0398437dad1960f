// Loses processes between the receipt of an event and its reader, on SQLite. reference: Event subscriptions
import { openEmptySqlite, storeOn } from '../contracts/store/open.ts';
import { deathsContract } from './deaths-contract.ts';

deathsContract(() => storeOn(openEmptySqlite()));
