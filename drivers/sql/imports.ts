// Stores imports and their tools.
import type { Imports } from '../../src/ports/store.ts';
import type { Sql } from './sql.ts';

export function createImports(_sql: Sql): Imports {
  const later = () => Promise.reject(new Error('not written yet'));
  return {
    revision: async () => null,
    list: later,
    get: later,
    tools: later,
    create: later,
    update: later,
    delete: later,
    due: later,
    page: async () => [],
    swapSettings: later,
  };
}
