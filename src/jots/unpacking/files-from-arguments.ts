// Reads the files that a tool call carries in its arguments. The rules are those of an archive.
import { fromBase64 } from '../../kit/binary.ts';
import { JotRefused } from '../jot-refused.ts';
import type { NewFile } from './archive.ts';
import { createContentCounter, type JotLimits } from './jot-limits.ts';
import { createTree, toPath } from './paths.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface ArgumentFile {
  path: string;
  content: string;
  encoding: 'utf8' | 'base64';
}

export async function* filesFromArguments(
  files: readonly ArgumentFile[],
  limits: JotLimits,
): AsyncGenerator<NewFile> {
  const countFile = createContentCounter(limits);
  const tree = createTree(limits);
  for (const file of files) {
    const path = toPath(file.path);
    const bytes = decodeContent(file);
    countFile(bytes.length);
    tree.addFile(path);
    yield { path, size: bytes.length, body: yieldWhole(bytes) };
  }
}

async function* yieldWhole(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}

function decodeContent({ path, content, encoding }: ArgumentFile): Bytes {
  if (encoding === 'utf8') return new TextEncoder().encode(content);
  const bytes = fromBase64(content);
  if (bytes === null)
    throw new JotRefused('BAD_ARCHIVE', `The content of ${JSON.stringify(path)} is not base64`);
  return bytes;
}
