// Asks the stores behind the gateway whether they answer. reference: Health and metrics; decision: 010
import { DISK_CACHE_MS, HEALTH_CACHE_MS, HEALTH_CHECK_MS } from './limits.ts';
import { describe } from '../http/errors.ts';
import type { Ports } from '../ports/ports.ts';
import { DiskFull } from '../ports/unavailable.ts';

// Nothing has this id or this key, so each look-up reads at most one row of an index.
const NOBODY = '00000000-0000-0000-0000-000000000000';
const NO_BLOB = 'health/ready';
const WRITTEN = 'health/write';

export const PARTS = ['store', 'pending', 'blobs', 'disk'] as const;
export type Part = (typeof PARTS)[number];
/** Lists the parts that do not answer. Who asks within a second of another shares one look at the parts. */
export type Readiness = () => Promise<readonly Part[]>;

type Needs = Pick<Ports, 'blobs' | 'clock' | 'config' | 'log' | 'pending' | 'store'> & {
  isIsolated?: boolean;
};

export function createReadiness(deps: Needs): Readiness {
  const { clock, log } = deps;
  const look = {
    store: createCheck(clock, async () => deps.store.users.byId(NOBODY)),
    pending: createCheck(clock, async () => deps.pending.get(NOBODY)),
    blobs: createCheck(clock, async () => (await deps.blobs.get(NO_BLOB))?.body.cancel()),
    disk: createCheck(clock, createDiskCheck(deps)),
  };
  let kept: { failed: Part[]; at: number } | null = null;
  let looking: Promise<Part[]> | null = null;
  let logged = '';

  async function lookAgain(): Promise<Part[]> {
    try {
      const [store, pending, blobs, written] = await Promise.all([
        look.store(),
        look.pending(),
        look.blobs(),
        look.disk(),
      ]);
      // A store that takes no write for another reason may still be read.
      const disk = written instanceof DiskFull ? written : null;
      const reasons = { store, pending, blobs, disk };
      const failed = PARTS.filter((part) => reasons[part] !== null);
      logChange(failed, reasons);
      kept = { failed, at: clock.millis() };
      return failed;
    } finally {
      looking = null;
    }
  }

  /** Logs only changes: a probe asks every few seconds. */
  function logChange(failed: readonly Part[], reasons: Record<Part, Error | null>): void {
    const now = failed.join();
    if (now === logged) return;
    logged = now;
    if (failed.length === 0) return log.write('info', 'ready again');
    for (const part of failed) {
      // A change of the readiness is written also in an outage.
      const { away, full, ...reason } = describe(reasons[part]);
      log.write('warn', 'not ready', { part, ...reason });
    }
  }

  return function readiness() {
    if (kept !== null && clock.millis() - kept.at < HEALTH_CACHE_MS) return Promise.resolve(kept.failed);
    return (looking ??= lookAgain());
  };
}

/**
 * Returns a function that stores something very small on the disk of the gateway, at most once in ten seconds while that
 * works. A Worker has no disk.
 */
function createDiskCheck({ blobs, clock, config, isIsolated, store }: Needs): () => Promise<void> {
  const hasDatabase = config.DATABASE_URL.kind === 'sqlite';
  const hasFiles = config.BLOBS_URL.kind === 'fs';
  let writtenAt = Number.NEGATIVE_INFINITY;

  async function write(): Promise<void> {
    const now = clock.now();
    // Nobody holds it: it ends when it begins.
    if (hasDatabase) await store.leases.acquire(WRITTEN, WRITTEN, now, now);
    if (!hasFiles) return;
    await blobs.put(WRITTEN, new Uint8Array(1));
    await blobs.delete(WRITTEN);
  }

  return async function check() {
    if (isIsolated === true || clock.millis() - writtenAt < DISK_CACHE_MS) return;
    await write();
    writtenAt = clock.millis();
  };
}

/**
 * Returns a function that asks one part and resolves to the reason for a failure, or to null. A part that does not
 * answer is asked only once at a time, so that probes do not pile up behind it.
 */
function createCheck(clock: Needs['clock'], ask: () => Promise<unknown>): () => Promise<Error | null> {
  let asking: Promise<Error | null> | null = null;

  async function askPart(): Promise<Error | null> {
    try {
      await ask();
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      asking = null;
    }
  }

  return async function check() {
    const answered = new AbortController();
    try {
      return await Promise.race([
        (asking ??= askPart()),
        clock.sleep(HEALTH_CHECK_MS, answered.signal).then(() => new Error('no answer in time')),
      ]);
    } finally {
      answered.abort();
    }
  };
}
