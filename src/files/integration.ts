// Defines the four tools of the built-in integration. They need the blob store, so they are not in integrations/.
import * as z from 'zod';
import { FILE_ARGUMENT_BYTES, FILE_TEXT_BYTES, FILES_PAGE } from './limits.ts';
import { readBytes, showBytes } from '../kit/binary.ts';
import { fileReference, nameInDisposition, nameInPath, readGiven } from '../kit/files.ts';
import { defineIntegration, type Integration, tool } from '../kit/integration.ts';
import { cleanType, UNKNOWN_TYPE } from './file-name.ts';
import { FileRefused } from './file-refused.ts';
import { type Files, UNKNOWN_FILE } from './files.ts';
import { logo } from './logo.ts';
import { readTextPart } from './text-part.ts';
import { toToolError } from './tool-files.ts';
import type { FileUploads } from './uploads.ts';

const NEXT =
  'PUT the bytes to uploadUrl once. The answer holds file.handle; other tools take it as file:<handle>';
const file = fileReference.describe('file:<handle>, as in a result');

export function createFilesIntegration(files: Files, uploads: FileUploads): Integration {
  return defineIntegration({
    name: 'files',
    version: '1.0.0',
    displayName: 'Files',
    description: 'Hand files from one tool to another without reading them',
    categories: ['built-in'],
    logo,
    auth: { type: 'none' },
    isClosed: true,
    tools: [
      tool(
        'upload_file',
        'Keep a file for a day, so that other tools can take it by its handle. With url, content or contentBase64 the file is made at once; without, the answer is an address for one upload, such as with curl.',
        () => ({
          name: z.string().max(1_000).optional().describe('File name with its extension, such as report.pdf'),
          mimeType: z.string().max(200).optional().describe('Type, such as application/pdf'),
          bytes: z.int().positive().optional().describe('Size of the file, to learn at once whether it fits'),
          url: z
            .url({ protocol: /^https?$/ })
            .optional()
            .describe('Public address to fetch the file from'),
          content: z.string().optional().describe('Text of the file, up to 64 KiB'),
          contentBase64: z.base64().optional().describe('Bytes of the file in base64, up to 64 KiB'),
        }),
        async ({ name, mimeType, bytes, url, ...given }, context) => {
          const { content, contentBase64 } = given;
          if (url === undefined && content === undefined && contentBase64 === undefined)
            return {
              ...(await refuseAsToolError(() => uploads.offer(context.userId, { name, mimeType, bytes }))),
              next: NEXT,
            };
          if (url === undefined) {
            const made = await readGiven(context.files, given);
            if (made.bytes.length > FILE_ARGUMENT_BYTES)
              throw new Error(
                `content may have up to ${showBytes(FILE_ARGUMENT_BYTES)}: leave it out to get an upload address`,
              );
            const type = cleanType(name ?? '', mimeType);
            const isPlain = content !== undefined && type === UNKNOWN_TYPE;
            const kept = { ...made, name: name ?? '', mimeType: isPlain ? 'text/plain' : type };
            return { file: await context.files.save(kept) };
          }
          if (content !== undefined || contentBase64 !== undefined)
            throw new Error('Give only one of url, content and contentBase64');
          const answer = await context.fetch(url);
          const named = name ?? nameInDisposition(answer.headers.get('content-disposition'));
          return {
            file: await context.files.save({
              bytes: await readBytes(answer),
              name: named ?? nameInPath(url),
              mimeType: mimeType ?? answer.headers.get('content-type') ?? '',
            }),
          };
        },
        'write',
      ),
      tool(
        'list_files',
        'List the kept files, newest first, and the space that they take',
        () => ({ offset: z.int().nonnegative().default(0).describe('Files to skip, for the next page') }),
        async ({ offset }, { userId }) => {
          const found = await files.list(userId, { offset, limit: FILES_PAGE });
          const { total, bytes } = found;
          return { files: found.files, total, bytes, maxBytes: files.maxBytes };
        },
      ),
      tool(
        'get_file',
        'Get what is known about a kept file, with an address to download it that works for an hour; or read its text by page',
        () => ({
          file,
          text: z.boolean().default(false).describe('true reads the text of the file'),
          offset: z
            .int()
            .nonnegative()
            .default(0)
            .describe('With text: bytes to skip, `next` of the page before'),
          limit: z
            .int()
            .min(1)
            .max(FILE_TEXT_BYTES)
            .default(20_000)
            .describe('With text: bytes to read at most'),
        }),
        async ({ file: reference, text, offset, limit }, { userId }) => {
          const found = await files.find(userId, reference);
          if (found === null) throw unknown();
          const { expiresAt } = found;
          const shown = { file: files.show(userId, found), expiresAt };
          return text ? { ...shown, ...(await readTextPart(found, offset, limit)) } : shown;
        },
      ),
      tool(
        'delete_file',
        'Delete a kept file',
        () => ({ file }),
        async ({ file: reference }, { userId }) => {
          if (!(await files.delete(userId, reference))) throw unknown();
          return { deleted: true };
        },
        'destroy',
      ),
    ],
  });
}

const unknown = (): Error => new Error(`${UNKNOWN_FILE}: list_files shows what is kept`);

async function refuseAsToolError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FileRefused ? toToolError(error) : error;
  }
}
