// What a Worker is given by its platform: wrangler.example.toml names each. The types are ours.
import type { AssetsBinding } from '../../drivers/assets/binding.ts';
import type { R2Bucket } from '../../drivers/blobs/r2.ts';
import type { D1Database } from '../../drivers/sql/d1.ts';
import type { Env } from '../../src/config/config.ts';

export interface Bindings {
  /** The database, unless there is a HYPERDRIVE. */
  DB?: D1Database;
  /** The way to a PostgreSQL. */
  HYPERDRIVE?: { connectionString: string };
  BLOBS: R2Bucket;
  /** The built portal; without it there is none. */
  ASSETS?: AssetsBinding;
}

export interface ExecutionContext {
  /** Work that goes on when the answer is out. */
  waitUntil(work: Promise<unknown>): void;
}

/** Configuration and secrets are bindings too: the ones that are text. */
export function environmentOf(bindings: Bindings): Env {
  const texts = Object.entries(bindings).filter(([, value]) => typeof value === 'string');
  const database = bindings.HYPERDRIVE?.connectionString;
  return { ...Object.fromEntries(texts), ...(database === undefined ? {} : { DATABASE_URL: database }) };
}
