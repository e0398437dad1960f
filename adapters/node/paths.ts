// Where things lie on disk: beside the sources, or beside the bundle that was made of them.
import { join } from 'node:path';

const HERE = import.meta.dirname;
const FROM_SOURCE = import.meta.filename.endsWith('.ts');

export const PORTAL_DIR = join(HERE, '../../dist/portal');
export const WORKER_URL = FROM_SOURCE
  ? new URL('../../drivers/hasher/bcrypt-worker.ts', import.meta.url)
  : new URL('./bcrypt-worker.js', import.meta.url);

/** What the system says of a folder of the operator's, with whose folder it is. */
export function using<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The folder ${folder} cannot be used: ${reason}`, { cause: error });
  }
}
