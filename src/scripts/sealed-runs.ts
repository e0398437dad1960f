// Reads what is sealed of runs and of their calls. decision: 024
import { pagesOf, type SealedRow } from '../kit/sealed-row.ts';
import type { Ports } from '../ports/ports.ts';
import type { ScriptCallRecord, ScriptRunRecord } from '../ports/scripts.ts';
import { placeOfCall, placeOfRun } from './kept-run.ts';

type Stored = Pick<Ports, 'store'>;

export const sealedRuns = ({ store: { scriptRuns } }: Stored) =>
  pagesOf<ScriptRunRecord>(
    (after, limit) => scriptRuns.page(after?.id ?? null, limit),
    function toSealed(row): SealedRow {
      return {
        values: [{ text: row.sealed, place: placeOfRun(row), isShortLived: true }],
        lease: null,
        swap: async ([next]) => typeof next === 'string' && scriptRuns.swapSealed(row.id, row.sealed, next),
        async again() {
          const now = await scriptRuns.get(row.user_id, row.id);
          return now === null ? null : toSealed(now);
        },
      };
    },
  );

export const sealedCalls = ({ store: { scriptRuns } }: Stored) =>
  pagesOf<ScriptCallRecord>(
    (after, limit) => scriptRuns.pageCalls(after, limit),
    function toSealed(row): SealedRow {
      return {
        values: [{ text: row.sealed, place: placeOfCall(row), isShortLived: true }],
        lease: null,
        swap: async ([next]) => typeof next === 'string' && scriptRuns.swapSealedCall(row, row.sealed, next),
        async again() {
          const calls = await scriptRuns.calls(row.user_id, row.run_id);
          const now = calls.find(({ position }) => position === row.position);
          return now === undefined ? null : toSealed(now);
        },
      };
    },
  );
