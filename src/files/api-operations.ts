// Describes the portal's routes of files, and declares their bodies. reference: Portal API; Files
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';

export const ExpectedFile = z.strictObject({
  name: z.string().max(1_000).optional(),
  mimeType: z.string().max(1_000).optional(),
  bytes: z.int().positive().optional(),
});

export const FilesQuery = z.object({
  offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0).describe('Files to skip'),
});

const fileList = () =>
  z.object({
    files: z.array(
      z.object({
        handle: z.string().describe('Tools take it as file:<handle>'),
        name: z.string(),
        mimeType: z.string(),
        bytes: z.int(),
        sha256: z.string(),
        url: z.string().describe('Gives the file to whoever holds the address, for an hour'),
        expiresAt: z.int().describe('Unix seconds'),
      }),
    ),
    total: z.int(),
    bytes: z.int().describe('What all files take'),
    maxBytes: z.int(),
  });
const uploadAddress = () =>
  z.object({
    uploadUrl: z.string().describe('Takes one PUT with the bytes as its body'),
    expiresAt: z.int().describe('Unix seconds'),
  });
export type FileListAnswer = z.infer<ReturnType<typeof fileList>>;
export type UploadAddress = z.infer<ReturnType<typeof uploadAddress>>;

export const fileOperations: Operations = () => ({
  'GET /api/files': {
    id: 'listFiles',
    tag: 'Files',
    summary: 'List your kept files, newest first, a hundred at most',
    access: 'read',
    caller: 'portal',
    query: FilesQuery,
    replies: { 200: reply('Your files', fileList()), 400: failure('A bad offset') },
  },
  'POST /api/files': {
    id: 'offerUpload',
    tag: 'Files',
    summary: 'Get an address for one upload',
    access: 'write',
    caller: 'portal',
    body: { schema: ExpectedFile, example: { name: 'report.pdf' } },
    replies: {
      201: reply('The address', uploadAddress()),
      400: failure('A bad body'),
      413: failure('A file of this size does not fit'),
    },
  },
  'DELETE /api/files/:handle': {
    id: 'deleteFile',
    tag: 'Files',
    summary: 'Delete a kept file',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: succeeded('The file is gone'), 404: failure('You have no such file') },
  },
});
