// Tests the sealed audit log on SQLite. reference: Audit segments; decision: 039
import { openEmptySqlite } from '../contracts/store/open.ts';
import { sealingSuite } from './sealing.ts';
import { tamperingSuite } from './tampering.ts';

tamperingSuite('SQLite', openEmptySqlite);
sealingSuite('SQLite', openEmptySqlite);
