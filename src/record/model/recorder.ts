// Writes audit rows in groups. A row is durable before its caller has an answer.
// A failed write never changes the caller's result: its rows wait, are retried and are counted.
import { describe } from '../../http/errors.ts';
import type { Ports } from '../../ports/ports.ts';
import { AUDIT_EVENT } from '../../ports/log.ts';
import type { AuditEntry } from '../../ports/records.ts';

const MAX_WAITING_ROWS = 10_000;
const WRITE_DELAY_MS = 100;
const MAX_GROUP_ROWS = 1_000;
const MAX_TURNS = 8;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

export interface AuditRecorder {
  /** Resolves when the row is durable, or when its first write failed and the row waits for a retry. */
  record(entry: AuditEntry): Promise<void>;
  /** Writes the row together with others after a moment, for callers that do not wait. */
  recordSoon(entry: AuditEntry): void;
  /** Tries once more to write every waiting row. */
  flush(): Promise<void>;
}

export function createAuditRecorder(
  deps: Pick<Ports, 'config' | 'store' | 'clock' | 'metrics' | 'log'>,
): AuditRecorder {
  const { config, log } = deps;
  switch (config.AUDIT_LOG_DEST) {
    case 'database':
      return createStoredAudit(deps);
    case 'stdout':
      return {
        record: async (entry) => log.write('info', AUDIT_EVENT, { ...entry }),
        recordSoon: (entry) => log.write('info', AUDIT_EVENT, { ...entry }),
        flush: async () => {},
      };
    case 'none':
      return { record: async () => {}, recordSoon: () => {}, flush: async () => {} };
  }
}

function createStoredAudit(deps: Pick<Ports, 'store' | 'clock' | 'metrics' | 'log'>): AuditRecorder {
  const { store, clock, metrics, log } = deps;
  let group: AuditEntry[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  let soon: Promise<void> | null = null;
  let kept: AuditEntry[] = [];
  let retrying: Promise<void> | null = null;

  /** Gathers rows while the event loop brings more and while the previous write runs, then writes them at once. */
  function writeGroup(): Promise<void> {
    next ??= last = Promise.all([last, gatherRows()]).then(async () => {
      const entries = group;
      group = [];
      next = null;
      if (!(await tryWrite(entries))) keep(entries);
    });
    return next;
  }

  async function gatherRows(): Promise<void> {
    let seen: number;
    let turns = 0;
    do {
      seen = group.length;
      await clock.turn();
    } while (group.length > seen && ++turns < MAX_TURNS);
  }

  async function tryWrite(entries: AuditEntry[]): Promise<boolean> {
    try {
      await store.audit.append(entries);
      metrics.audit('written', entries.length);
      return true;
    } catch (error) {
      log.write('error', 'audit write failed', { rows: entries.length, ...describe(error) });
      return false;
    }
  }

  function keep(entries: AuditEntry[]): void {
    kept.push(...entries);
    const lost = kept.length - MAX_WAITING_ROWS;
    if (lost > 0) {
      kept.splice(0, lost);
      metrics.audit('lost', lost);
    }
    retrying ??= retry().finally(() => (retrying = null));
  }

  async function retry(): Promise<void> {
    for (let pause = FIRST_RETRY_MS; kept.length > 0; pause = Math.min(pause * 2, MAX_RETRY_MS)) {
      await clock.sleep(pause);
      await retryKept();
    }
  }

  async function retryKept(): Promise<void> {
    const entries = kept;
    if (entries.length === 0) return;
    kept = [];
    metrics.audit('retried', entries.length);
    if (!(await tryWrite(entries))) kept = [...entries, ...kept];
  }

  return {
    record(entry) {
      group.push(entry);
      return writeGroup();
    },
    recordSoon(entry) {
      // Nobody waits for these rows, so a store that does not answer would let them grow without bound.
      if (group.length >= MAX_WAITING_ROWS) return metrics.audit('lost', 1);
      // Starts a write before the group is so large that every other caller waits for it.
      if (group.push(entry) >= MAX_GROUP_ROWS) return void writeGroup();
      soon ??= clock.sleep(WRITE_DELAY_MS).then(() => {
        // A row that comes during the write needs the next one.
        soon = null;
        return writeGroup();
      });
    },
    async flush() {
      await (group.length === 0 ? last : writeGroup());
      await retryKept();
    },
  };
}
