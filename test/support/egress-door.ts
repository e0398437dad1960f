// Opens the egress with a network that the test controls and records, and servers behind it.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createEgress, type Egress } from '../../src/egress/door.ts';
import { EgressFailure } from '../../src/egress/failure.ts';
import type { Network } from '../../src/ports/network.ts';

export interface Setting {
  loopback?: boolean;
  allow?: string[];
  map?: { from: string; to: string }[];
  /** The addresses of each name: one list per look-up, and the last list repeats. */
  names?: Record<string, string[][]>;
  /** Replaces the real sending of requests. */
  answer?: Network['send'];
}

const cleanups: (() => Promise<unknown>)[] = [];
/** Closes the networks and servers that were opened since the last call. */
export async function closeAll(): Promise<void> {
  for (const clean of cleanups.splice(0)) await clean();
}

export function open({ loopback = false, allow = [], map = [], names = {}, answer }: Setting = {}) {
  const real = createUndiciNetwork();
  cleanups.push(() => real.close());
  const sent: URL[] = [];
  const dialled: string[] = [];
  const asked = new Map<string, number>();
  const network: Network = {
    ...real,
    async resolve(hostname) {
      const answers = names[hostname];
      if (answers === undefined) return real.resolve(hostname);
      const turn = asked.get(hostname) ?? 0;
      asked.set(hostname, turn + 1);
      return answers[Math.min(turn, answers.length - 1)] ?? [];
    },
    send(request) {
      sent.push(request.url);
      dialled.push(request.address);
      return answer === undefined ? real.send(request) : answer(request);
    },
  };
  const egress: Egress = createEgress({
    clock: createSystemClock(),
    config: { EGRESS_ALLOW: allow, UPSTREAM_MAP: map, loopback },
    network,
  });
  return { egress, sent, dialled };
}

export async function listen(answer: RequestListener): Promise<{ url: string; port: number }> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, port: address.port };
}

/** Returns the reason of the failure, or `none` when the work succeeds. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof EgressFailure) return error.reason;
    throw error;
  }
  return 'none';
}
