// Runs what only one process may do at a time.
import type { Ports } from '../ports/ports.ts';

type Needs = Pick<Ports, 'clock' | 'random' | 'store'>;

/** Returns null without doing the work while somebody else holds the lease. */
export async function withLease<T>(
  { clock, random, store: { leases } }: Needs,
  lease: string,
  seconds: number,
  work: () => Promise<T>,
): Promise<{ value: T } | null> {
  const holder = random.uuid();
  const now = clock.now();
  if (!(await leases.acquire(lease, holder, now, now + seconds))) return null;
  try {
    return { value: await work() };
  } finally {
    // A lease that cannot be released expires by itself.
    await leases.release(lease, holder).catch(() => {});
  }
}
