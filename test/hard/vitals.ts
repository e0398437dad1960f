// Reads from outside what a gateway under test takes of the machine.
import type { Gateway } from '../support/gateway-process.ts';

const BETWEEN_LOOKS_MS = 100;
const MEBIBYTE = 2 ** 20;

export interface Vitals {
  /** In MiB. */
  resident: number;
  /** In MiB. */
  heap: number;
  /** The seconds of processor time since the start. */
  processor: number;
}

export async function readVitals(gateway: Gateway): Promise<Vitals> {
  const text = await (await gateway.request('/metrics')).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    resident: Math.round(read('process_resident_memory_bytes') / MEBIBYTE),
    heap: Math.round(read('nodejs_heap_size_used_bytes') / MEBIBYTE),
    processor: read('process_cpu_seconds_total'),
  };
}

/** Looks again and again until it is stopped, and returns the most that it saw. */
export function watchVitals(gateway: Gateway): { stop(): Promise<Vitals> } {
  const most: Vitals = { resident: 0, heap: 0, processor: 0 };
  const look = async () => {
    const now = await readVitals(gateway);
    for (const name of ['resident', 'heap', 'processor'] as const)
      most[name] = Math.max(most[name], now[name]);
  };
  const watching = setInterval(() => void look().catch(() => {}), BETWEEN_LOOKS_MS);
  return {
    async stop() {
      clearInterval(watching);
      // A process that has ended shows nothing.
      await look().catch(() => {});
      return most;
    },
  };
}
