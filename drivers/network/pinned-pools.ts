// Connection pools by origin and vetted addresses: a connection is never reused for another address of the
// same name.
import { buildConnector, Pool } from 'undici';
import { hearOut } from './hear-out.ts';

export interface PinnedPools {
  /** With several addresses, dials them in order until one accepts the connection. */
  poolFor(origin: string, addresses: readonly [string, ...string[]]): Pool;
  close(): Promise<void>;
}

/** The errors of connections that were never made. */
const neverConnected = new WeakSet<Error>();

/** Whether a request failed because no connection for it was made. */
export const isNotConnected = (error: unknown): boolean =>
  error instanceof Error && neverConnected.has(error);

type Dial = Parameters<buildConnector.connector>;

const MAX_POOLS = 256;
const MAX_CONNECTIONS = 1_024;
// Limits the time for all addresses of a name: after half a minute the call fails.
const MAX_ADDRESSES_TRIED = 3;

export interface PinnedPoolsOptions {
  /** How many connections to one address may exist; further calls wait for one to end. */
  connections?: number;
  /** Milliseconds until a response begins. */
  headersTimeout?: number;
  /** Milliseconds between two chunks of a response; 0 waits for ever. */
  bodyTimeout?: number;
}

export function createPinnedPools(options: PinnedPoolsOptions = {}): PinnedPools {
  const pools = new Map<string, Pool>();

  return {
    poolFor(origin, addresses) {
      // A name may return its addresses in any order, so they are sorted for the key.
      const sorted = addresses.length === 1 ? addresses : addresses.toSorted();
      const key = `${origin} ${sorted.join(' ')}`;
      const pool = pools.get(key) ?? openPool(origin, addresses, options);
      // Ordered by use; the last entry was used last.
      pools.delete(key);
      pools.set(key, pool);
      for (const [oldest, unused] of pools) {
        if (pools.size <= MAX_POOLS) break;
        pools.delete(oldest);
        // Lets the pool's requests finish and closes idle connections at once.
        void unused.close();
      }
      return pool;
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}

function openPool(
  origin: string,
  addresses: readonly [string, ...string[]],
  options: PinnedPoolsOptions,
): Pool {
  const dial = buildConnector({ allowH2: false, timeout: 10_000 });
  const [first, ...others] = addresses;

  function dialInTurn([address, next, ...rest]: typeof addresses, ...[place, callback]: Dial): void {
    // Only the dialled host changes. The name in TLS and the `Host` header stay those of the URL.
    dial({ ...place, hostname: address }, (...[error, socket]) => {
      if (error !== null && next !== undefined) return dialInTurn([next, ...rest], place, callback);
      if (error !== null) {
        neverConnected.add(error);
        return callback(error, null);
      }
      hearOut(socket);
      callback(null, socket);
    });
  }

  return new Pool(origin, {
    connect: (...asked) => dialInTurn([first, ...others.slice(0, MAX_ADDRESSES_TRIED - 1)], ...asked),
    allowH2: false,
    connections: MAX_CONNECTIONS,
    headersTimeout: 60_000,
    maxHeaderSize: 64 * 1024,
    ...options,
  });
}
