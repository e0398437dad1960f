// Bounds the memory that large calls take together, so that the calls of one person cannot end the process for everybody.
import { BATCH_BYTES, BATCH_PART, UNCOUNTED_REQUEST_BYTES } from './limits.ts';
import { weighJson } from './weigh-json.ts';

export interface MemoryBudget {
  /** Opens the lease of one request. */
  open(userId: string): Lease;
}

export interface Lease {
  /** The person whose request it is. */
  readonly userId: string;
  /** What the results of one batch may take: a part of the budget, so that a small process has small batches. */
  readonly batchBytes: number;
  charge(bytes: number): void;
  /** Charges a piece of JSON text with what it takes as text and as values. */
  chargeRead(bytes: Uint8Array): void;
  /** Undefined when the reader may go on at once; otherwise a promise for space, which rejects when the signal aborts. */
  waitForSpace(signal?: AbortSignal): Promise<void> | undefined;
  /**
   * Waits for space, and charges bytes that will be read in the same turn. What waits is not charged, so that it takes no
   * space from others.
   */
  reserve(bytes: number, signal?: AbortSignal): Promise<void>;
  /** Whether this lease alone takes more than the whole budget. */
  isOverBudget(): boolean;
  /** A lease for a part of the same request, which can be closed earlier. */
  child(): Lease;
  /** Gives back everything that was charged. */
  close(): void;
}

interface Request {
  userId: string;
  bytes: number;
  /** A small request costs a comparison only. It counts from its first byte beyond the limit on, with all its bytes. */
  state: 'small' | 'counted' | 'closed';
  /** The lease that may exceed the budget while the request is the oldest. */
  exceeding: Lease | undefined;
  waiting: { lease: Lease; resume: () => void }[];
}

// A reader that goes on may read about this much before it asks again.
const READ_BYTES = 2 * 1024 * 1024;

/**
 * A request over budget stops reading, and TCP back-pressure slows the sender. One person may use half of the budget.
 * The oldest request may always read on, one lease at a time, so that every request comes to its end.
 */
export function createMemoryBudget(size: number): MemoryBudget {
  const batchBytes = Math.min(BATCH_BYTES, size / BATCH_PART);
  const uncounted = size === Infinity ? Infinity : UNCOUNTED_REQUEST_BYTES;
  /** The counted requests, oldest first. */
  const requests = new Set<Request>();
  const usedBy = new Map<string, number>();
  let used = 0;

  function mayRead(request: Request, lease: Lease): boolean {
    if (used <= size && (usedBy.get(request.userId) ?? 0) <= size / 2) return true;
    const [oldest] = requests;
    return request === oldest && (request.exceeding ??= lease) === lease;
  }

  function charge(request: Request, bytes: number, isLarge = false): void {
    request.bytes += bytes;
    if (request.state === 'counted') count(request.userId, bytes);
    else if (request.state === 'small' && (isLarge || request.bytes > uncounted)) {
      request.state = 'counted';
      requests.add(request);
      count(request.userId, request.bytes);
    }
  }

  function count(userId: string, bytes: number): void {
    used += bytes;
    const own = (usedBy.get(userId) ?? 0) + bytes;
    if (own > 0) usedBy.set(userId, own);
    else usedBy.delete(userId);
    // A lease that gives back nothing wakes others too: they may have waited for it to end.
    if (bytes <= 0) wake();
  }

  function wake(): void {
    let space = size - used;
    for (const request of requests) {
      const next = request.waiting.find(({ lease }) => mayRead(request, lease));
      if (next === undefined) continue;
      // One lease may wait for several answers that it reads at once.
      for (const { resume } of endWaits(request, next.lease)) resume();
      space -= READ_BYTES;
      if (space <= 0) return;
    }
  }

  function createLease(request: Request, giveBack: (bytes: number) => void): Lease {
    let own = 0;
    const lease: Lease = {
      userId: request.userId,
      batchBytes,
      charge(bytes) {
        own += bytes;
        charge(request, bytes);
      },
      chargeRead: (bytes) =>
        lease.charge(request.bytes + bytes.length <= uncounted ? bytes.length : weighJson(bytes)),
      waitForSpace: (signal) =>
        request.state !== 'counted' || mayRead(request, lease) ? undefined : wait(request, lease, signal),
      async reserve(bytes, signal) {
        // It waits like any request that has read as much.
        if (request.bytes + bytes > uncounted) charge(request, 0, true);
        while (request.state === 'counted' && !mayRead(request, lease)) await wait(request, lease, signal);
        lease.charge(bytes);
      },
      isOverBudget: () => own > size,
      child() {
        // From now on the parts read. Without this they would wait for this lease, and it waits for them.
        if (request.exceeding === lease) request.exceeding = undefined;
        return createLease(request, (bytes) => charge(request, -bytes));
      },
      close() {
        if (request.exceeding === lease) request.exceeding = undefined;
        endWaits(request, lease);
        giveBack(own);
        own = 0;
      },
    };
    return lease;
  }

  return {
    open(userId) {
      const request: Request = { userId, bytes: 0, state: 'small', exceeding: undefined, waiting: [] };
      return createLease(request, () => {
        requests.delete(request);
        charge(request, -request.bytes);
        // Nobody would give back what is charged from now on, so it does not count.
        request.state = 'closed';
      });
    },
  };
}

function endWaits(request: Request, lease: Lease): Request['waiting'] {
  const ended = request.waiting.filter((entry) => entry.lease === lease);
  request.waiting = request.waiting.filter((entry) => entry.lease !== lease);
  return ended;
}

async function wait(request: Request, lease: Lease, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const entry = { lease, resume: resolve };
  const giveUp = () => {
    request.waiting = request.waiting.filter((other) => other !== entry);
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', giveUp);
  request.waiting.push(entry);
  await promise.finally(() => signal?.removeEventListener('abort', giveUp));
}
