// A file of a public jot that memory has whole: most of what readers ask for, and all that an adapter answers by means of
// its own. What is anything else, the app answers.
import type { Jots } from '../jots.ts';
import type { Ports } from '../../ports/ports.ts';
import { createFileHeaders, etagOf, type HeaderRecord } from './headers.ts';
import { createIsOwnOrigin } from './own-origin.ts';
import { isUnchanged } from './range.ts';
import { findFile, readPath, withoutQuery } from './target.ts';

export interface CachedFileRequest {
  /** As it came, from its path on. */
  target: string;
  host: string;
  ifNoneMatch: string | undefined;
}

export type FindCachedFile = (read: CachedFileRequest) => Promise<CachedFile | null>;

export type CachedFile =
  | { status: 200; headers: HeaderRecord; body: Uint8Array<ArrayBuffer> }
  | { status: 304; headers: HeaderRecord; body: null };

export function createCachedFileFinder({
  config,
  jots,
}: Pick<Ports, 'config'> & { jots: Jots }): FindCachedFile {
  const { reader } = jots;
  const headersFor = createFileHeaders();
  const isOwnOrigin = createIsOwnOrigin(config);

  return async function findCachedFile({ target: raw, host, ifNoneMatch }) {
    const path = withoutQuery(raw);
    const target = readPath(path);
    // A name without its slash is told to have one.
    if (target.kind !== 'file' || !path.includes('/', '/j/'.length)) return null;
    const jot = await jots.find(target.name);
    if (jot === null || jot.access !== 'public') return null;
    const manifest = reader.rememberedManifest(jot);
    const found = manifest === undefined ? null : findFile(manifest.files, target.path);
    if (found === null) return null;
    const { file } = found;
    const { common, whole } = headersFor(jot, found.path, file, isOwnOrigin(host));
    if (isUnchanged(ifNoneMatch, etagOf(file))) return { status: 304, headers: common, body: null };
    const body = reader.remembered(file);
    return body === undefined ? null : { status: 200, headers: whole, body };
  };
}
