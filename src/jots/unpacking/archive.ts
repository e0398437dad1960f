// Unpacks the files of a gzip tarball one after the other, as it arrives. Anything odd refuses the whole archive. decision: 049
import type { Gunzip } from '../../ports/gunzip.ts';
import { JotRefused } from '../model/jot-refused.ts';
import { type JotLimits, limitBytes } from './jot-limits.ts';
import { createTree, toPath } from './paths.ts';
import { notATarball, readTar } from './tar-reader.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface NewFile {
  path: string;
  size: number;
  body: AsyncIterable<Bytes>;
}

/** The caller reads each body to its end before it asks for the next file. */
export async function* filesFromArchive(
  packed: AsyncIterable<Bytes>,
  gunzip: Gunzip,
  limits: JotLimits,
): AsyncGenerator<NewFile> {
  const tree = createTree(limits);
  for await (const { kind, name, size, body } of readTar(unpack(packed, gunzip, limits), limits)) {
    if (kind === 'file') {
      const path = toPath(name);
      tree.addFile(path);
      yield { path, size, body };
    } else {
      const path = name.replace(/\/$/, '');
      // "tar czf - ." names the folder that it was started in.
      if (path !== '.') tree.addFolder(toPath(path));
    }
  }
}

async function* unpack(
  packed: AsyncIterable<Bytes>,
  gunzip: Gunzip,
  { maxPackedBytes }: JotLimits,
): AsyncGenerator<Bytes> {
  const tooLarge = () => new JotRefused('TOO_LARGE', `An upload has at most ${maxPackedBytes} bytes`);
  try {
    yield* gunzip(limitBytes(packed, maxPackedBytes, tooLarge));
  } catch (error) {
    throw error instanceof JotRefused ? error : notATarball(error);
  }
}
