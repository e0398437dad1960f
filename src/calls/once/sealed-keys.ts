// Reads what is kept of calls with a key. decision: 024
import { pagesOf, type SealedRow } from '../../kit/sealed-row.ts';
import type { ExecutionKey } from '../../ports/execution-keys.ts';
import type { Ports } from '../../ports/ports.ts';
import { placeOfKept } from './once.ts';

export const sealedKeys = ({ store: { executionKeys } }: Pick<Ports, 'store'>) =>
  pagesOf<ExecutionKey>(
    (after, limit) => executionKeys.page(after?.id ?? null, limit),
    (row): SealedRow => ({
      values: [{ text: row.sealed, place: placeOfKept(row), isShortLived: true }],
      lease: null,
      swap: async ([next]) =>
        typeof next === 'string' && executionKeys.swapSealed(row.id, row.sealed ?? '', next),
      // Only the call itself writes it, once. A row that is gone is over.
      again: async () => null,
    }),
  );
