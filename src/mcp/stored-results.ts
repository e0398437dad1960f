// Stores the whole result behind a truncated one: sealed, readable by its owner only, for an hour. decision: 016
import type { Ports } from '../ports/ports.ts';
import type { Seal } from '../crypto/seal.ts';
import { readStream } from '../http/request-body.ts';
import { toHex } from '../crypto/encoding.ts';
import { STORED_RESULT_SECONDS } from '../config/limits.ts';
import type { Caller } from '../kit/integration.ts';
import { createResultQuota } from './result-quota.ts';

const FOLDER = 'results/';
const HANDLE = /^r-([0-9a-z]{1,12})-[0-9a-f]{32}$/;
const encoder = new TextEncoder();

export interface StoredResults {
  /** Returns a handle for the owner. */
  save(userId: string, json: string): Promise<string>;
  /** Returns null when the handle is unknown, expired or another user's. */
  load(caller: Caller, handle: string): Promise<string | null>;
  sweep(): Promise<void>;
}

export function createStoredResults(
  deps: Pick<Ports, 'blobs' | 'clock' | 'config' | 'random'> & { seal: Seal },
): StoredResults {
  const { blobs, clock, config, random, seal } = deps;
  const quota = createResultQuota(config.PERSON_MAX_RESULT_BYTES, clock);

  function isLive(handle: string): boolean {
    const expiry = HANDLE.exec(handle)?.[1];
    return expiry !== undefined && Number.parseInt(expiry, 36) > clock.now();
  }

  return {
    async save(userId, json) {
      // The expiry is part of the name, so that reads and sweeps need not open the result.
      const handle = `r-${(clock.now() + STORED_RESULT_SECONDS).toString(36)}-${toHex(random.bytes(16))}`;
      const sealed = await seal.seal(json, [userId, '', handle]);
      const { size } = await blobs.put(`${FOLDER}${handle}`, encoder.encode(sealed));
      const expiresAt = clock.now() + STORED_RESULT_SECONDS;
      // The sweep removes what cannot be deleted now.
      for (const old of quota.add(userId, handle, size, expiresAt))
        await blobs.delete(`${FOLDER}${old}`).catch(() => {});
      return handle;
    },

    async load({ userId, lease, signal }, handle) {
      if (!isLive(handle)) return null;
      const stored = await blobs.get(`${FOLDER}${handle}`);
      if (stored === null) return null;
      const sealed = await readStream({ body: stored.body, signal }, Infinity, lease);
      const json = await seal.open(sealed, [userId, '', handle]);
      lease?.chargeRead(encoder.encode(json ?? ''));
      await lease?.waitForSpace(signal);
      return json;
    },

    async sweep() {
      for await (const key of blobs.list(FOLDER)) {
        if (!isLive(key.slice(FOLDER.length))) await blobs.delete(key);
      }
    },
  };
}
