// Bounds the heap of each worker: Node gives every process up to 4 GB, and so many workers could use more than the machine
// has. decision: 010
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const MIB = 1024 * 1024;
/** The part of the memory that all heaps together may take. The rest is for buffers, the database and the system. */
const HEAPS_PART = 0.75;
/** A worker takes some 200 MB under load. */
const MIN_HEAP_MIB = 256;

interface Machine {
  /** Bytes, of the machine or of the container. */
  memory: number;
  /** The heap that a process gets without the option, in bytes. */
  heapLimit: number;
  /** The options of this process. */
  given: string;
}

export const readMachine = (env: NodeJS.ProcessEnv): Machine => ({
  // Without a container the system names no limit, or an enormous one.
  memory: Math.min(process.constrainedMemory() || Infinity, totalmem()),
  heapLimit: getHeapStatistics().heap_size_limit,
  given: [env['NODE_OPTIONS'], ...process.execArgv].join(' '),
});

/** Returns the options for each worker. The operator's own limit is left alone. */
export function heapOptions(workers: number, { memory, heapLimit, given }: Machine): string[] {
  if (/--max[-_]old[-_]space[-_]size/.test(given)) return [];
  const share = Math.max(Math.floor((memory * HEAPS_PART) / workers / MIB), MIN_HEAP_MIB);
  return share * MIB < heapLimit ? [`--max-old-space-size=${share}`] : [];
}
