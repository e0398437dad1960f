// The files of a packed archive, one after the other as they arrive. Anything odd refuses the whole. design: J3
import { createTarDecoder, type TarHeader } from 'modern-tar';
import type { Gunzip } from '../../ports/gunzip.ts';
import type { Caps } from './caps.ts';
import { createTree, toPath } from './paths.ts';
import { Refused } from '../refused.ts';
import { streamOf } from './stream.ts';
import { gateTar } from './tar-gate.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface NewFile {
  path: string;
  size: number;
  body: AsyncIterable<Bytes>;
}

/** Each body is read to its end before the next file is asked for. */
export async function* filesOfArchive(
  packed: AsyncIterable<Bytes>,
  gunzip: Gunzip,
  caps: Caps,
): AsyncGenerator<NewFile> {
  const tree = createTree(caps);
  const stop = new AbortController();
  const unpacked = streamOf(gateTar(gunzip(bounded(packed, caps)), caps));
  try {
    const entries = unpacked.pipeThrough(createTarDecoder({ strict: true }), { signal: stop.signal });
    for await (const { header, body } of entries) {
      const file = judge(header);
      if (file.kind === 'folder') {
        if (file.path !== null) tree.folder(file.path);
        await body.cancel();
        continue;
      }
      tree.file(file.path);
      // The decoder hands on what the gate was given.
      yield { path: file.path, size: header.size, body: told(body as ReadableStream<Bytes>) };
    }
  } catch (error) {
    throw asRefusal(error);
  } finally {
    stop.abort();
  }
}

type Judged = { kind: 'file'; path: string } | { kind: 'folder'; path: string | null };

function judge(header: TarHeader): Judged {
  const records = Object.keys(header.pax ?? {});
  if (records.some((name) => name.startsWith('GNU.sparse.')))
    throw new Refused('BAD_ARCHIVE', 'The archive has a sparse file; only plain files are taken');
  // The gate has read the size in the header block: another one would hide entries from it.
  if (records.includes('size')) throw new Refused('BAD_ARCHIVE', 'The archive has a size record');
  if (header.type !== 'directory') return { kind: 'file', path: toPath(header.name) };
  const name = header.name.replace(/\/$/, '');
  return { kind: 'folder', path: name === '.' ? null : toPath(name) };
}

async function* bounded(packed: AsyncIterable<Bytes>, caps: Caps): AsyncGenerator<Bytes> {
  let size = 0;
  for await (const piece of packed) {
    size += piece.length;
    if (size > caps.packedBytes)
      throw new Refused('TOO_LARGE', `An upload has at most ${caps.packedBytes} bytes`);
    yield piece;
  }
}

async function* told(body: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  try {
    yield* body;
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): Refused {
  return error instanceof Refused
    ? error
    : new Refused('BAD_ARCHIVE', 'This is not a whole gzip tarball, made with: tar czf - .', {
        cause: error,
      });
}
