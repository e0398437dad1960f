// Reads the files of /proc. What belongs to a process that has ended meanwhile is empty.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The inodes of the sockets that a process has open. */
export function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return names(folder).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(link(`${folder}/${fd}`))?.[1] ?? []);
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
