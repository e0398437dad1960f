// Builds the response headers of jots. reference: Jot serving; decision: 048
import { getMimeType } from 'hono/utils/mime';
import type { Jot } from '../../ports/records.ts';
import type { StoredFile } from '../model/manifest.ts';

export type HeaderRecord = Record<string, string>;

const MORE_TYPES: Record<string, string> = {
  md: 'text/markdown; charset=utf-8',
  m4a: 'audio/mp4',
  mov: 'video/quicktime',
};
const SANDBOX = 'sandbox allow-scripts allow-forms';

/** These headers are on every file and on the unlock page. `ownOrigin` says that jots have an origin to themselves. */
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

export function typeOf(path: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return MORE_TYPES[extension] ?? getMimeType(path) ?? 'application/octet-stream';
}

export const etagOf = ({ hash }: StoredFile): string => `"${hash.slice(0, 32)}"`;

export interface FileHeaders {
  /** All headers except the length. */
  common: HeaderRecord;
  whole: HeaderRecord;
}

/** Builds the headers once for each file of a cached manifest and each way to serve the file. */
export function createFileHeaders(): (
  jot: Jot,
  path: string,
  file: StoredFile,
  ownOrigin: boolean,
) => FileHeaders {
  const cache = new WeakMap<StoredFile, Map<string, FileHeaders>>();
  return function fileHeaders(jot, path, file, ownOrigin) {
    let variants = cache.get(file);
    if (variants === undefined) cache.set(file, (variants = new Map()));
    // The path is part of the key: two paths may share a blob and differ in type.
    const variant = `${ownOrigin ? 'o' : ''}${isOpen(jot) ? 'c' : ''}${jot.access} ${path}`;
    let headers = variants.get(variant);
    if (headers === undefined) {
      const common = headersOf(jot, path, file, ownOrigin);
      headers = { common, whole: { ...common, 'Content-Length': String(file.size) } };
      variants.set(variant, headers);
    }
    return headers;
  };
}
