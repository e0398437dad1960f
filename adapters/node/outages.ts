// Says once that something which the gateway depends on cannot be used, and once that it can be used again. Until then the
// failures of requests are counted, and not written one by one.
import { describe } from '../../src/http/errors.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Part } from '../../src/ports/unavailable.ts';

/** What fails now and then has one outage and not many. */
const SETTLED_MS = 3_000;

const HINTS: Readonly<Record<Part, string>> = {
  database: 'requests that need it are answered 503: check the database, and DATABASE_URL',
  redis: 'requests that need it are answered 503: check Redis, and PENDING_STORE',
  bucket:
    'jots and files cannot be stored or read: check BLOBS_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and whether the store runs',
  files: 'jots and files cannot be stored: check the folder of BLOBS_URL or DATA_DIR',
};
const FULL_HINT = 'what stores something is answered 503, and the rest goes on: make space';

const PARTS: readonly Part[] = ['database', 'redis', 'bucket', 'files'];

type Fields = Record<string, unknown>;
/** `writes` tells whether the operation stores something: a full disk can still be read. */
interface Operation {
  part: Part;
  writes: boolean;
}

export interface Outages {
  /** Writes what `log` writes, without the failures that belong to an outage. */
  log: Log;
  watch: <T>(operation: Operation, run: () => Promise<T>) => Promise<T>;
}

interface Outage {
  since: number;
  isFull: boolean;
  /** The requests and calls that it failed. */
  requests: number;
  lastFailure: number;
  /** When it first answered after the last failure. */
  answered: number | null;
}

export function createOutages(log: Log, clock: Pick<Clock, 'millis'>): Outages {
  const outages = new Map<Part, Outage>();

  function fail(part: Part, fields: Fields): void {
    const now = clock.millis();
    let outage = outages.get(part);
    if (outage === undefined) {
      const isFull = fields['full'] === true;
      outage = { since: now, isFull, requests: 0, lastFailure: now, answered: null };
      outages.set(part, outage);
      const { error, code, cause } = fields;
      const hint = isFull ? FULL_HINT : HINTS[part];
      const event = isFull ? `disk of the ${part} is full` : `${part} cannot be used`;
      log.write('error', event, { hint, error, code, cause });
    }
    noteFailure(outage, now);
    if (fields['requestId'] !== undefined) outage.requests++;
  }

  function noteFailure(outage: Outage, now: number): void {
    outage.lastFailure = now;
    outage.answered = null;
  }

  function answer({ part, writes }: Operation, outage: Outage, began: number): void {
    if (began < outage.lastFailure || (outage.isFull && !writes)) return;
    const now = clock.millis();
    outage.answered ??= now;
    if (now - outage.lastFailure < SETTLED_MS || outages.get(part) !== outage) return;
    outages.delete(part);
    const seconds = Math.round((outage.answered - outage.since) / 1000);
    log.write('info', `${part} can be used again`, { seconds, failedRequests: outage.requests });
  }

  return {
    log: {
      shows: (level) => log.shows(level),
      write(level, event, fields) {
        const part = PARTS.find((name) => name === fields?.['away']);
        if (part === undefined || fields === undefined) log.write(level, event, fields);
        else fail(part, fields);
      },
    },
    async watch(operation, run) {
      const outage = outages.get(operation.part);
      if (outage === undefined) return run();
      const began = clock.millis();
      try {
        const result = await run();
        answer(operation, outage, began);
        return result;
      } catch (error) {
        if (describe(error)['away'] === operation.part) noteFailure(outage, clock.millis());
        throw error;
      }
    },
  };
}
