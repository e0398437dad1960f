// Reads the content of files: text as text, images as images, Google's own formats as exported files.
import * as z from 'zod';
import { type Bytes, readBytes, textOf } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool, type Upstream } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { send, some, text, texts, toCall } from '../google/oauth.ts';
import { encodeRelated } from './related.ts';

// The export format for each of Google's document types. Other types have no content or are refused by Drive
// in its own words.
const READ_AS = new Map([
  ['application/vnd.google-apps.document', 'text/markdown'],
  ['application/vnd.google-apps.spreadsheet', 'text/csv'],
  ['application/vnd.google-apps.presentation', 'text/plain'],
  ['application/vnd.google-apps.drawing', 'image/png'],
  ['application/vnd.google-apps.script', 'application/vnd.google-apps.script+json'],
]);
const UPLOADED = 'id,name,mimeType,size,parents,webViewLink';

const File = z.lazy(() =>
  z.object({
    name: z.string(),
    mimeType: z.string(),
    size: z.coerce.number().default(0),
    shortcutDetails: z.object({ targetId: z.string() }).optional(),
  }),
);
const fileId = text.describe('File id, from gdrive_list_files');

export const content: readonly Tool[] = [
  tool(
    'gdrive_read_file',
    'Read the content of a file: Google documents as Markdown or text, the first sheet of a spreadsheet as CSV, the rest as an image or a file',
    () => ({
      fileId,
      maxBytes: z
        .int()
        .positive()
        .optional()
        .describe('Reads at most this many bytes of text; all of it by default'),
      asFile,
    }),
    async ({ fileId: given, maxBytes = Infinity, asFile: keep }, { upstream, files }) => {
      const { id, name, mimeType, size } = await findContent(upstream, given);
      const readAs = READ_AS.get(mimeType);
      const bytes =
        readAs === undefined
          ? await download(upstream, id, size > maxBytes && keep !== true ? maxBytes : Infinity)
          : await exportFile(upstream, { fileId: id, mimeType: readAs });
      const found = { bytes, name, mimeType: readAs ?? mimeType };
      return { name, ...(await renderFile(files, found, { maxBytes, asFile: keep })) };
    },
  ),
  tool(
    'gdrive_export_file',
    'Export a Google document, spreadsheet or presentation in a chosen format as text, an image or a file',
    () => ({
      fileId,
      mimeType: text.describe('Format, such as application/pdf, text/markdown, text/csv or image/png'),
      name: some.describe('Name of a kept file, such as plan.pdf'),
      asFile,
    }),
    async ({ fileId: given, mimeType, name = given, asFile: keep }, { upstream, files }) => {
      const bytes = await exportFile(upstream, { fileId: given, mimeType });
      return renderFile(files, { bytes, name, mimeType }, { asFile: keep });
    },
  ),
  tool(
    'gdrive_upload_file',
    'Create a file with its content, or replace the content of a file',
    () => ({
      name: some.describe('File name, required for a new file without a kept file'),
      ...givenContent,
      mimeType: some.describe(
        'Type, by default text/plain for text, application/octet-stream for bytes, or the type of the replaced file; application/vnd.google-apps.document turns Markdown into a Google document, application/vnd.google-apps.spreadsheet CSV into a sheet',
      ),
      parents: texts
        .optional()
        .describe('Folder id for a new file, one only; the root of My Drive by default'),
      fileId: some.describe('File whose content is replaced, by id; a new file without it'),
    }),
    async (
      { fileId: id, content: written, contentBase64, file, mimeType, name: named, parents },
      { upstream, files },
    ) => {
      const given = await readGiven(files, { content: written, contentBase64, file });
      const { bytes } = given;
      const name = named ?? (id === undefined ? given.name : undefined);
      if (id === undefined && name === undefined) throw new Error('A new file needs a name');
      // Drive refuses `parents` in an update.
      if (id !== undefined && parents !== undefined)
        throw new Error('parents are for a new file: gdrive_update_file moves one that is there');
      const before = id === undefined || mimeType !== undefined ? undefined : await look(upstream, id);
      const type =
        mimeType ??
        before?.mimeType ??
        given.mimeType ??
        (written === undefined ? 'application/octet-stream' : 'text/plain');
      const query = { uploadType: 'multipart', supportsAllDrives: true, fields: UPLOADED };
      const sent = { query: ['uploadType', 'supportsAllDrives', 'fields'] };
      const call =
        id === undefined
          ? toCall('POST /files', query, sent)
          : toCall('PATCH /files/{fileId}', { ...query, fileId: id }, sent);
      const both = encodeRelated(
        { name, mimeType: type, parents },
        { type: READ_AS.get(type) ?? type, bytes },
      );
      return readPayload(await upstream({ ...call, at: 'upload', ...both }));
    },
    'write',
  ),
];

/** A shortcut has no content of its own, so its target is read. */
async function findContent(upstream: Upstream, id: string): Promise<z.infer<typeof File> & { id: string }> {
  const file = await look(upstream, id);
  const target = file.shortcutDetails?.targetId;
  return target === undefined ? { ...file, id } : { ...(await look(upstream, target)), id: target };
}

async function look(upstream: Upstream, id: string): Promise<z.infer<typeof File>> {
  const about = {
    fileId: id,
    fields: 'name,mimeType,size,shortcutDetails(targetId)',
    supportsAllDrives: true,
  };
  return File.parse(await send(upstream, 'GET /files/{fileId}', about));
}

/** Downloads only the beginning of a large text. Everything else is of use as a whole only. */
async function download(upstream: Upstream, id: string, maxBytes: number): Promise<Bytes> {
  const query = { fileId: id, alt: 'media', supportsAllDrives: true };
  const headers = maxBytes === Infinity ? {} : { range: `bytes=0-${maxBytes}` };
  const bytes = await readBytes(await upstream(toCall('GET /files/{fileId}', query, { headers })));
  const isText = maxBytes === Infinity || textOf(bytes, true) !== null;
  return isText ? bytes : download(upstream, id, Infinity);
}

async function exportFile(upstream: Upstream, args: { fileId: string; mimeType: string }): Promise<Bytes> {
  return readBytes(await upstream(toCall('GET /files/{fileId}/export', args)));
}
