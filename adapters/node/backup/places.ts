// Finds the data of an embedded gateway, and refuses one whose data is elsewhere.
import type { Config } from '../../../src/config/config.ts';
import type { Places } from './stage.ts';

const OTHER =
  'These commands are for a gateway that keeps its data in one folder. docs/operating.md says how to back up PostgreSQL and a bucket.';

export function findPlaces({ DATA_DIR, DATABASE_URL: database, BLOBS_URL: blobs }: Config): Places {
  if (database.kind !== 'sqlite') throw new Error(`DATABASE_URL names PostgreSQL. ${OTHER}`);
  if (blobs.kind !== 'fs') throw new Error(`BLOBS_URL names a bucket. ${OTHER}`);
  return { dataDir: DATA_DIR, database: database.path, blobs: blobs.path };
}
