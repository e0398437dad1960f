// Reads the processes of driven browsers on this machine from /proc.
import { readdirSync } from 'node:fs';
import { read, socketsOf } from './proc.ts';

/** Lists the browsers with a profile below the folder, and all their helper processes. */
export function browserProcesses(folder: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const heads = all
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes(`--user-data-dir=${folder}`))
    .map(groupOf);
  const groups = new Set(heads.filter((group) => group !== ''));
  return all.filter((pid) => groups.has(groupOf(pid)) && stateOf(pid) !== 'Z').map(Number);
}

/** Returns the browser process that the gateway has started. */
export function browserHead(folder: string): number {
  const head = browserProcesses(folder).find((pid) => groupOf(String(pid)) === String(pid));
  if (head === undefined) throw new Error('no browser runs');
  return head;
}

/** Lists the processes that render pages. */
export function renderers(folder: string): number[] {
  return browserProcesses(folder).filter((pid) => read(`/proc/${pid}/cmdline`).includes('--type=renderer'));
}

/** Tells whether any of the processes listens for connections. */
export function listens(pids: readonly number[]): boolean {
  const sockets = new Set(pids.flatMap(socketsOf));
  // In these fields of proc(5), 0A means LISTEN and the tenth is the inode.
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => read(table).split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .some((fields) => fields[3] === '0A' && sockets.has(fields[9] ?? ''));
}

export function environmentOf(pid: number): string {
  return read(`/proc/${pid}/environ`);
}

const fieldsOf = (pid: string) => {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};
const stateOf = (pid: string) => fieldsOf(pid)[0];
const groupOf = (pid: string) => fieldsOf(pid)[2] ?? '';
