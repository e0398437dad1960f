// What the platform gives a Worker: wrangler.example.toml names each binding. The types are declared here.
import type { AssetsBinding } from '../../drivers/assets/binding.ts';
import type { R2Bucket } from '../../drivers/blobs/r2.ts';
import type { D1Database } from '../../drivers/sql/d1.ts';
import type { Env } from '../../src/config/config.ts';

export interface Bindings {
  /** The database, unless there is a HYPERDRIVE. */
  DB?: D1Database;
  /** The connection to PostgreSQL. */
  HYPERDRIVE?: { connectionString: string };
  /** The bucket, unless `BLOBS_URL` names one of another S3-compatible store. */
  BLOBS?: R2Bucket;
  /** The built portal, and the guides; without this binding there are neither. */
  ASSETS?: AssetsBinding;
}

export interface ExecutionContext {
  /** Work that continues after the response. */
  waitUntil(work: Promise<unknown>): void;
}

/** Configuration and secrets are the bindings that are strings. */
export function environmentOf(bindings: Bindings): Env {
  const texts = Object.entries(bindings).filter(([, value]) => typeof value === 'string');
  const database = bindings.HYPERDRIVE?.connectionString;
  return { ...Object.fromEntries(texts), ...(database === undefined ? {} : { DATABASE_URL: database }) };
}
