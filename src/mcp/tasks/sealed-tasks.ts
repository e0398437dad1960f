// Reads the sealed calls of tasks. decision: 024
import { pagesOf, type SealedRow } from '../../kit/sealed-row.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TaskRecord } from '../../ports/tasks.ts';
import { placeOfTask } from './kept-batch.ts';

export const sealedTasks = ({ store: { tasks } }: Pick<Ports, 'store'>) =>
  pagesOf<TaskRecord>(
    (after, limit) => tasks.page(after?.id ?? null, limit),
    (row): SealedRow => ({
      values: [{ text: row.sealed, place: placeOfTask(row), isShortLived: true }],
      lease: null,
      swap: async ([next]) => typeof next === 'string' && tasks.swapSealed(row.id, row.sealed, next),
      // What is written meanwhile is sealed with the new key.
      again: async () => null,
    }),
  );
