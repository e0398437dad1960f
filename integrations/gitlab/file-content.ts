// Turns a file's content into something that a caller can read.
import * as z from 'zod';
import { textOfBase64 } from '../../src/kit/binary.ts';

const File = z.looseObject({ encoding: z.literal('base64'), content: z.string() });

/** Bytes that are not text stay in base64. */
export function decodedFile(payload: unknown): unknown {
  const { data: file } = File.safeParse(payload);
  const content = file === undefined ? null : textOfBase64(file.content);
  return content === null ? payload : { ...file, encoding: 'text', content };
}
