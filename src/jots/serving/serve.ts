// Answers a request for a file of a jot: the file, a part of it, 304, or only the headers. decision: 048
import type { Jot } from '../../ports/records.ts';
import { createFileHeaders, etagOf } from './headers.ts';
import { isUnchanged, parseRange } from '../../http/range.ts';
import type { JotReader } from './reader.ts';
import { findFile } from './target.ts';

export interface FileRequest {
  jot: Jot;
  path: string;
  /** The request came to the origin that jots have to themselves. */
  ownOrigin: boolean;
  head: boolean;
  header: (name: string) => string | undefined;
  /** Told the type of what is sent. Reading it from the response would spell all its headers anew. */
  onType?: (contentType: string) => void;
}

/** Resolves to null where the file or its blob is missing. */
export type Serve = (request: FileRequest) => Promise<Response | null>;

export function createServe({ reader }: { reader: JotReader }): Serve {
  const headersFor = createFileHeaders();

  return async function serve({ jot, path, ownOrigin, head, header, onType }) {
    const manifest = await reader.readManifest(jot);
    const found = manifest === null ? null : findFile(manifest.files, path);
    if (found === null) return null;
    const { file } = found;
    const { common, whole } = headersFor(jot, found.path, file, ownOrigin);
    onType?.(common['Content-Type'] ?? '');
    if (isUnchanged(header('if-none-match'), etagOf(file)))
      return new Response(null, { status: 304, headers: common });

    const requested = parseRange(header('range'), header('if-range'), etagOf(file), file.size);
    switch (requested.kind) {
      case 'unsatisfiable':
        return new Response(null, {
          status: 416,
          headers: { ...common, 'Content-Range': `bytes */${file.size}` },
        });
      case 'part': {
        const { offset, length } = requested;
        const body = head ? null : await reader.readRange(file, requested);
        if (body === null && !head) return null;
        const range = `bytes ${offset}-${offset + length - 1}/${file.size}`;
        const headers = { ...common, 'Content-Range': range, 'Content-Length': String(length) };
        return new Response(body, { status: 206, headers });
      }
      case 'whole': {
        const body = head ? null : (reader.cachedFile(file) ?? (await reader.readFile(file)));
        return body === null && !head ? null : new Response(body, { headers: whole });
      }
    }
  };
}
