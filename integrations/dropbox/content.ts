// The content of files, which another host of Dropbox takes and gives.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, nameInPath, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { contentCall, flag, path, row, showEntry, some, text } from './api.ts';

/** Dropbox takes larger files only in parts. */
const MAX_UPLOAD_BYTES = 150 * 1024 * 1024;

const Named = z.lazy(() => z.looseObject({ name: z.string().optional() }));
const Exported = z.lazy(() =>
  z.looseObject({
    export_metadata: z.looseObject({ name: z.string().optional() }).optional(),
  }),
);

export const content: readonly Tool[] = [
  tool(
    'dropbox_read_file',
    'Read the content of a file as text, an image or a file',
    () => ({
      path: path.describe('Path, id from dropbox_list_folder, or rev: with a revision'),
      maxBytes: z.int().positive().optional().describe('Returns at most this many bytes of text'),
      asFile,
    }),
    async ({ path: at, maxBytes, asFile: keep }, { upstream, files }) => {
      const response = await upstream(contentCall('/files/download', { path: at }));
      const bytes = await readBytes(response);
      const { name = nameInPath(at) } = Named.parse(resultOf(response));
      const found = { bytes, name, mimeType: '' };
      return { name, ...(await renderFile(files, found, { maxBytes, asFile: keep })) };
    },
  ),
  tool(
    'dropbox_export_file',
    'Export a file that has no bytes of its own, such as a Paper document as Markdown',
    () => ({
      path,
      exportFormat: some.describe(
        'Format, such as markdown, html or docx; the usual one of the file by default',
      ),
      asFile,
    }),
    async ({ path: at, exportFormat, asFile: keep }, { upstream, files }) => {
      const args = { path: at, export_format: exportFormat };
      const response = await upstream(contentCall('/files/export', args));
      const bytes = await readBytes(response);
      const { name = nameInPath(at) } = Exported.parse(resultOf(response)).export_metadata ?? {};
      return { name, ...(await renderFile(files, { bytes, name, mimeType: '' }, { asFile: keep })) };
    },
  ),
  tool(
    'dropbox_upload_file',
    'Upload a file with its content, at most 150 MiB',
    () => ({
      path: text.startsWith('/').describe('Path with the name, such as /Reports/plan.pdf'),
      ...givenContent,
      overwrite: flag.describe('true replaces a file of that name; without it Dropbox refuses'),
      updateRev: some.describe('Replaces the file only while this is its rev'),
      autorename: flag.describe('true gives it another name when there is one of that name'),
    }),
    async ({ path: to, overwrite, updateRev, autorename, ...given }, { upstream, files }) => {
      const { bytes } = await readGiven(files, given, MAX_UPLOAD_BYTES);
      const mode =
        updateRev === undefined
          ? overwrite === true
            ? 'overwrite'
            : 'add'
          : { '.tag': 'update', update: updateRev };
      const call = contentCall('/files/upload', { path: to, mode, autorename });
      return showEntry(await readPayload(await upstream({ ...call, body: bytes })));
    },
    'write',
  ),
  row(
    'dropbox_get_temporary_link',
    'POST /files/get_temporary_link',
    'Get an address that gives a file to whoever has it, for four hours',
    () => ({ path }),
    {
      result: (payload) => {
        const { link, metadata } = z
          .looseObject({ link: z.string(), metadata: z.looseObject({}) })
          .parse(payload);
        return { link, ...showEntry(metadata) };
      },
    },
  ),
];

/** The answer is the file, so what Dropbox says of it is in a header. */
function resultOf(response: Response): unknown {
  try {
    return JSON.parse(response.headers.get('dropbox-api-result') ?? '{}');
  } catch {
    return {};
  }
}
