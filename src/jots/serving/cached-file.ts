// Finds a file of a public jot in memory, so that an adapter can answer without the app. Most requests are for such files.
import type { Ports } from '../../ports/ports.ts';
import type { Jot } from '../../ports/records.ts';
import { createFileHeaders, etagOf, type HeaderRecord } from './headers.ts';
import { createIsOwnOrigin } from './own-origin.ts';
import { isUnchanged } from '../../http/range.ts';
import type { JotReader } from './reader.ts';
import { findFile, readPath, withoutQuery } from './target.ts';
import type { Views } from './views.ts';

export interface CachedFileRequest {
  /** The raw request target, from the path on. */
  target: string;
  host: string;
  ifNoneMatch: string | undefined;
}

/** Resolves to null where the app has to answer. */
export type FindCachedFile = (read: CachedFileRequest) => Promise<CachedFile | null>;

export type CachedFile =
  | { status: 200; headers: HeaderRecord; body: Uint8Array<ArrayBuffer> }
  | { status: 304; headers: HeaderRecord; body: null };

type Needs = Pick<Ports, 'config'> & {
  jots: {
    find: (name: string) => Promise<Jot | null>;
    reader: Pick<JotReader, 'cachedFile' | 'cachedManifest'>;
    views: Pick<Views, 'count'>;
  };
};

export function createCachedFileFinder({ config, jots }: Needs): FindCachedFile {
  const { reader } = jots;
  const headersFor = createFileHeaders();
  const isOwnOrigin = createIsOwnOrigin(config);

  return async function findCachedFile({ target: raw, host, ifNoneMatch }) {
    const path = withoutQuery(raw);
    const target = readPath(path);
    // The app redirects a request for a jot without the slash.
    if (target.kind !== 'file' || !path.includes('/', '/j/'.length)) return null;
    const jot = await jots.find(target.name);
    if (jot === null || jot.access !== 'public') return null;
    const manifest = reader.cachedManifest(jot);
    const found = manifest === undefined ? null : findFile(manifest.files, target.path);
    if (found === null) return null;
    const { file } = found;
    const { common, whole } = headersFor(jot, found.path, file, isOwnOrigin(host));
    const isKnown = isUnchanged(ifNoneMatch, etagOf(file));
    const body = isKnown ? null : reader.cachedFile(file);
    if (body === undefined) return null;
    jots.views.count(jot, common['Content-Type']);
    return body === null ? { status: 304, headers: common, body } : { status: 200, headers: whole, body };
  };
}
