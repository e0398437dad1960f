// The headers of a jot's answers. spec: Jots, Response headers; design: J4, J5
import { getMimeType } from 'hono/utils/mime';
import type { Jot } from '../../ports/records.ts';
import type { StoredFile } from '../manifest.ts';

export type HeaderRecord = Record<string, string>;

const MORE_TYPES: Record<string, string> = {
  md: 'text/markdown; charset=utf-8',
  m4a: 'audio/mp4',
  mov: 'video/quicktime',
};
const SANDBOX = 'sandbox allow-scripts allow-forms';

/** On every served file and on the unlock page. `ownOrigin` where jots have an origin to themselves. */
export function protectionHeaders(ownOrigin: boolean): HeaderRecord {
  return {
    'Content-Security-Policy': ownOrigin ? `${SANDBOX} allow-same-origin` : SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

export const isOpen = ({ access, cors }: Pick<Jot, 'access' | 'cors'>): boolean =>
  access === 'public' && cors;

function headersOf(jot: Jot, path: string, file: StoredFile, ownOrigin: boolean): HeaderRecord {
  const sharing = isOpen(jot)
    ? { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }
    : {};
  return {
    'Content-Type': typeOf(path),
    ETag: etagOf(file),
    'Cache-Control': jot.access === 'public' ? 'no-cache' : 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ...protectionHeaders(ownOrigin),
    ...sharing,
  };
}

function typeOf(path: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return MORE_TYPES[extension] ?? getMimeType(path) ?? 'application/octet-stream';
}

export const etagOf = ({ hash }: StoredFile): string => `"${hash.slice(0, 32)}"`;

export interface FileHeaders {
  /** Everything but the length. */
  common: HeaderRecord;
  whole: HeaderRecord;
}

/** Made once for each file of a manifest in memory and each way it can be shown. */
export function createFileHeaders(): (
  jot: Jot,
  path: string,
  file: StoredFile,
  ownOrigin: boolean,
) => FileHeaders {
  const made = new WeakMap<StoredFile, Map<string, FileHeaders>>();
  return function fileHeaders(jot, path, file, ownOrigin) {
    let ways = made.get(file);
    if (ways === undefined) made.set(file, (ways = new Map()));
    // Two paths may share a blob and differ in type.
    const way = `${ownOrigin ? 'o' : ''}${isOpen(jot) ? 'c' : ''}${jot.access} ${path}`;
    let headers = ways.get(way);
    if (headers === undefined) {
      const common = headersOf(jot, path, file, ownOrigin);
      headers = { common, whole: { ...common, 'Content-Length': String(file.size) } };
      ways.set(way, headers);
    }
    return headers;
  };
}
