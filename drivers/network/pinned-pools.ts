// Connection pools by (origin, address): a connection is never reused for another address of the same name.
import { buildConnector, Pool } from 'undici';
import { hearOut } from './hear-out.ts';

export interface PinnedPools {
  poolFor(origin: string, address: string): Pool;
  close(): Promise<void>;
}

const MOST = 256;
const MOST_CONNECTIONS = 1_024;

export interface PinnedPoolsOptions {
  /** To one address at once; further calls wait for one to end. */
  connections?: number;
  /** Milliseconds until an answer begins. */
  headersTimeout?: number;
  /** Milliseconds between two chunks of an answer; 0 waits for ever. */
  bodyTimeout?: number;
}

export function createPinnedPools(options: PinnedPoolsOptions = {}): PinnedPools {
  const pools = new Map<string, Pool>();

  return {
    poolFor(origin, address) {
      const key = `${origin} ${address}`;
      const pool = pools.get(key) ?? openPool(origin, address, options);
      // Last used stands last.
      pools.delete(key);
      pools.set(key, pool);
      for (const [oldest, unused] of pools) {
        if (pools.size <= MOST) break;
        pools.delete(oldest);
        // Lets its requests finish; idle connections end at once.
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

function openPool(origin: string, address: string, options: PinnedPoolsOptions): Pool {
  const dial = buildConnector({ allowH2: false, timeout: 10_000 });
  return new Pool(origin, {
    // Only the dialled host changes: the name in TLS and the `Host` header stay the URL's.
    connect: (place, callback) =>
      dial({ ...place, hostname: address }, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        hearOut(socket);
        callback(null, socket);
      }),
    allowH2: false,
    connections: MOST_CONNECTIONS,
    headersTimeout: 60_000,
    maxHeaderSize: 64 * 1024,
    ...options,
  });
}
