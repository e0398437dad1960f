// Reads the files that a tool call carries in its arguments. The rules are those of an archive.
import { fromBase64 } from '../../kit/binary.ts';
import { FileNotUsable, type ToolFiles } from '../../kit/files.ts';
import { JotRefused } from '../model/jot-refused.ts';
import type { NewFile } from './archive.ts';
import { createContentCounter, type JotLimits } from './jot-limits.ts';
import { createTree, toPath } from './paths.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface ArgumentFile {
  path: string;
  content?: string | undefined;
  /** A kept file, instead of content. */
  file?: string | undefined;
  encoding: 'utf8' | 'base64';
}

export async function* filesFromArguments(
  files: readonly ArgumentFile[],
  limits: JotLimits,
  kept: ToolFiles,
): AsyncGenerator<NewFile> {
  const countFile = createContentCounter(limits);
  const tree = createTree(limits);
  for (const file of files) {
    const path = toPath(file.path);
    const bytes = file.file === undefined ? decodeContent(file) : await readKept(file, kept);
    countFile(bytes.length);
    tree.addFile(path);
    yield { path, size: bytes.length, body: yieldWhole(bytes) };
  }
}

async function* yieldWhole(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}

async function readKept({ path, content, file = '' }: ArgumentFile, kept: ToolFiles): Promise<Bytes> {
  if (content !== undefined) throw refuse(path, 'has both content and file');
  try {
    return (await kept.read(file)).bytes;
  } catch (error) {
    throw error instanceof FileNotUsable ? refuse(path, `cannot be read. ${error.message}`) : error;
  }
}

function decodeContent({ path, content, encoding }: ArgumentFile): Bytes {
  if (content === undefined) throw refuse(path, 'has neither content nor file');
  if (encoding === 'utf8') return new TextEncoder().encode(content);
  const bytes = fromBase64(content);
  if (bytes === null) throw refuse(path, 'has content that is not base64');
  return bytes;
}

const refuse = (path: string, why: string): JotRefused =>
  new JotRefused('BAD_ARCHIVE', `${JSON.stringify(path)} ${why}`);
