// Where files are on disk: beside the sources, or beside the bundle.
import { join } from 'node:path';

const HERE = import.meta.dirname;
export const FROM_SOURCE = import.meta.filename.endsWith('.ts');

export const PORTAL_DIR = join(HERE, '../../dist/portal');
/** The gateway of one process, which main.ts starts here or several times. */
export const GATEWAY_URL = new URL(FROM_SOURCE ? './gateway.ts' : './gateway.js', import.meta.url);
export const WORKER_URL = FROM_SOURCE
  ? new URL('../../drivers/hasher/bcrypt-worker.ts', import.meta.url)
  : new URL('./bcrypt-worker.js', import.meta.url);
/** The thread that runs a script, and the engine in it. The driver finds both beside the sources by itself. */
export const SCRIPT_FILES = FROM_SOURCE
  ? {}
  : {
      workerUrl: new URL('./script-worker.js', import.meta.url),
      wasmUrl: new URL('./quickjs.wasm', import.meta.url),
    };

/** Adds the operator's folder to the system's error message. */
export function using<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The folder ${folder} cannot be used: ${reason}`, { cause: error });
  }
}
