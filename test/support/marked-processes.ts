// Finds processes on this machine by a mark in their environment, which children inherit. Reads /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Lists the processes with `MARK=<mark>` that are not zombies. */
export function markedProcesses(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && variablesOf(name).includes(`MARK=${mark}`))
    .map(Number);
}

/** A zombie has no environment. */
export function variablesOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}
