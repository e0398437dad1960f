// Opens the files of a caller for tools. A call that uses no file pays nothing for it.
import { TOOL_FILE_BYTES } from './limits.ts';
import { type Bytes, showBytes } from '../kit/binary.ts';
import { FileNotUsable } from '../kit/files.ts';
import type { OpenToolFiles } from '../kit/integration.ts';
import { FileRefused } from './file-refused.ts';
import { type Files, UNKNOWN_FILE } from './files.ts';

export function createOpenToolFiles(files: Files): OpenToolFiles {
  return ({ userId, lease, signal }) => ({
    async read(reference, maxBytes = TOOL_FILE_BYTES) {
      const file = await files.find(userId, reference);
      if (file === null) throw new FileNotUsable(`${UNKNOWN_FILE}: list_files shows what is kept`);
      const { name, mimeType, bytes: size } = file;
      if (size > maxBytes)
        throw new FileNotUsable(
          `${JSON.stringify(name)} has ${showBytes(size)}, and this tool takes files of up to ${showBytes(maxBytes)}`,
        );
      await lease?.reserve(size, signal);
      const body = await file.read(0, size);
      if (body === null) throw new FileNotUsable(UNKNOWN_FILE);
      return { bytes: new Uint8Array(await new Response(body).arrayBuffer()), name, mimeType };
    },

    async save({ bytes, name, mimeType }) {
      try {
        const announced = bytes.length;
        return files.show(
          userId,
          await files.save(userId, yieldWhole(bytes), { name, mimeTypes: [mimeType], announced }),
        );
      } catch (error) {
        throw error instanceof FileRefused ? toToolError(error) : error;
      }
    },
  });
}

/** Puts the reason first, because agents look for it. */
export function toToolError(refused: FileRefused): Error {
  return new Error(`${refused.reason}: ${refused.message}`, { cause: refused });
}

async function* yieldWhole(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}
