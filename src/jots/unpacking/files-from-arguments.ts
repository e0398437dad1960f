// Files that came as arguments of a tool, under the rules of an archive.
import { fromBase64 } from '../../kit/binary.ts';
import type { NewFile } from './archive.ts';
import { type Caps, createCounter } from './caps.ts';
import { createTree, toPath } from './paths.ts';
import { Refused } from '../refused.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface GivenFile {
  path: string;
  content: string;
  encoding: 'utf8' | 'base64';
}

export async function* filesOfArguments(files: readonly GivenFile[], caps: Caps): AsyncGenerator<NewFile> {
  const counter = createCounter(caps);
  const tree = createTree(caps);
  for (const file of files) {
    const path = toPath(file.path);
    const bytes = bytesOf(file);
    counter.add(bytes.length);
    tree.file(path);
    yield { path, size: bytes.length, body: once(bytes) };
  }
}

async function* once(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}

function bytesOf({ path, content, encoding }: GivenFile): Bytes {
  if (encoding === 'utf8') return new TextEncoder().encode(content);
  const bytes = fromBase64(content);
  if (bytes === null)
    throw new Refused('BAD_ARCHIVE', `The content of ${JSON.stringify(path)} is not base64`);
  return bytes;
}
