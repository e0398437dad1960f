// Deletes audit rows that are older than AUDIT_KEEP_DAYS: whole segments, whose heads stay. decision: 039
import { AUDIT_PRUNE_LEASE_SECONDS, AUDIT_PRUNED_PER_ROUND } from '../model/limits.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { AuditSegment } from '../../ports/audit-segments.ts';
import type { Ports } from '../../ports/ports.ts';
import { pruningText } from './head.ts';
import type { AuditKey } from './key.ts';

const DAY_SECONDS = 24 * 3_600;

type Needs = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'>;

/** Returns the part of a maintenance round that prunes. It does nothing without AUDIT_KEEP_DAYS. */
export function createPrune(
  deps: Needs,
  readKey: () => Promise<AuditKey | null>,
): (stop?: AbortSignal) => Promise<void> {
  const { clock, config, log } = deps;
  const segments = deps.store.auditSegments;
  let hasWarned = false;

  async function pruneRows(portion: () => Promise<boolean>, stop?: AbortSignal): Promise<boolean> {
    while (await portion()) {
      if (stop?.aborted) return false;
      await clock.turn();
    }
    return true;
  }

  /** Any process goes on where one stopped: a segment keeps its index until its rows are gone. */
  async function pruneSegment(segment: AuditSegment, key: AuditKey, stop?: AbortSignal): Promise<void> {
    const number = segment.segment;
    if (segment.pruned_at === null) {
      const at = clock.now();
      const pruned_signature = await key.sign(pruningText(segment, at, key.id));
      const signed = { pruned_at: at, pruned_key: key.id, pruned_signature };
      if (await segments.beginPruning(number, signed))
        log.write('info', 'audit segment pruned', {
          segment: number,
          rows: segment.rows,
          root: segment.root,
        });
    }
    if (await pruneRows(() => segments.deleteRows(segment.last), stop)) await segments.endPruning(number);
  }

  async function pruneSegments(key: AuditKey, before: number, stop?: AbortSignal): Promise<void> {
    for (let pruned = 0; pruned < AUDIT_PRUNED_PER_ROUND; pruned++) {
      if (stop?.aborted) return;
      const segment = await segments.oldestWithRows();
      if (segment === null || (segment.pruned_at === null && segment.newest >= before)) return;
      await pruneSegment(segment, key, stop);
    }
  }

  return async function prune(stop) {
    if (config.AUDIT_KEEP_DAYS === undefined) return;
    const before = clock.now() - config.AUDIT_KEEP_DAYS * DAY_SECONDS;
    const [key, segment] = [await readKey(), await segments.oldestWithRows()];
    if (key === null && (segment !== null || (await segments.newest()) !== null)) {
      if (!hasWarned)
        log.write('warn', 'old audit rows are kept', {
          hint: 'Rows of a sealed segment are deleted only with AUDIT_SIGNING_KEY',
        });
      hasWarned = true;
      return;
    }
    if (key !== null && segment?.pruned_at === null && segment.newest >= before) return;
    await withLease(deps, 'audit prune', AUDIT_PRUNE_LEASE_SECONDS, async () => {
      if (key === null) await pruneRows(() => segments.deleteOlder(before), stop);
      else await pruneSegments(key, before, stop);
    });
  };
}
