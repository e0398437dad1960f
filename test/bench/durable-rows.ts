// Writes one audit row per answer for the servers that the gateway is compared with, by the gateway's own recorder and
// store: the same row, the same groups and the same wait for the disk.
import { join } from 'node:path';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createAuditRecorder } from '../../src/record/model/recorder.ts';
import type { AuditEntry } from '../../src/ports/records.ts';

/** A request of this path is answered with the counts, and writes no row. */
export const COUNTS_PATH = '/bench-counts';
export const DATABASE = 'rows.db';

export interface Counts {
  answers: number;
  /** How many writes the rows took. */
  groups: number;
}

/** `waiting` answers after the row is on the disk, as `execute_tools` does; `soon` does not wait, as `/c` does. */
export type Durability = 'waiting' | 'soon';

export interface DurableRows {
  /** Resolves when the answer may be sent. */
  write(): Promise<void>;
  /** Writes the rows that no answer waits for, and returns the counts. */
  count(): Promise<Counts>;
}

export async function openDurableRows(folder: string, durability: Durability): Promise<DurableRows> {
  const engine = openSqlite(join(folder, DATABASE));
  await createSchema(engine);
  const store = createSqlStore(engine);
  const counts: Counts = { answers: 0, groups: 0 };
  const clock = createSystemClock(setImmediate);
  const recorder = createAuditRecorder({
    config: { AUDIT_LOG_DEST: 'database' },
    store: {
      audit: {
        append(entries: readonly AuditEntry[]) {
          counts.groups += 1;
          return store.audit.append(entries);
        },
      },
    },
    clock,
    metrics: { audit() {} },
    log: console,
    // The recorder uses only these parts of the ports.
  } as never);

  return {
    async count() {
      await recorder.flush();
      return counts;
    },
    async write() {
      const entry: AuditEntry = {
        user_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
        integration: 'time',
        tool: 'time_now',
        action: 'EXECUTE',
        success: true,
        error: null,
        duration_ms: 1,
        created_at: clock.now(),
        actor: 'key:0f8fad5b-d9cb-469f-a165-70867728950e',
        outcome: 'ok',
        account: null,
        owner: null,
        client_name: null,
        access: 'read',
        request_id: crypto.randomUUID(),
        approval: null,
        status: null,
        details: null,
        script: null,
      };
      if (durability === 'soon') recorder.recordSoon(entry);
      else await recorder.record(entry);
      counts.answers += 1;
    },
  };
}
