// Turns a file's content into something that a caller can read.
import * as z from 'zod';
import { fromBase64, textOf } from '../../src/kit/binary.ts';
import { nameInPath, type ToolFiles } from '../../src/kit/files.ts';

const File = z.lazy(() => z.looseObject({ encoding: z.literal('base64'), content: z.string() }));

/** Bytes that are not text become a kept file. */
export async function readFile(
  payload: unknown,
  { filePath, asFile }: { filePath: string; asFile?: boolean | undefined },
  { files }: { files: ToolFiles },
): Promise<unknown> {
  const { data: file } = File.safeParse(payload);
  const bytes = file === undefined ? null : fromBase64(file.content);
  if (file === undefined || bytes === null) return payload;
  const content = asFile === true ? null : textOf(bytes);
  if (content !== null) return { ...file, encoding: 'text', content };
  const { content: _, encoding: __, ...about } = file;
  return { ...about, file: await files.save({ bytes, name: nameInPath(filePath), mimeType: '' }) };
}
