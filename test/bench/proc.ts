// Reads what Linux says of a process.
import { readdirSync, readFileSync } from 'node:fs';

/** The processor time that a process has used so far. */
export function processorSeconds(pid: number): number {
  // In proc(5), utime and stime are the 14th and 15th field, in hundredths of a second; the 2nd may contain
  // spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The same to the nanosecond, of all threads that still run. */
export function processorMilliseconds(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
    .map(Number);
}
