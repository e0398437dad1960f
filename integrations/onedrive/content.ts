// Reads and writes the content of files.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { flag, page, readPage, send, some, toCall } from '../microsoft/graph.ts';
import { uploadPieces } from '../microsoft/upload-session.ts';
import { addressOfItem, driveId, driveOf, inAddress, item, type Place, showItem } from './place.ts';

/** Larger files are uploaded in pieces. */
const MAX_SIMPLE_BYTES = 4 * 1024 * 1024;
const CONFLICT = '@microsoft.graph.conflictBehavior';

const Content = z.lazy(() =>
  z.object({
    name: z.string(),
    folder: z.unknown().optional(),
    file: z.object({ mimeType: z.string().nullish() }).nullish(),
  }),
);

export const content: readonly Tool[] = [
  tool(
    'onedrive_read_file',
    'Read the content of a file as text, an image or a file',
    () => ({
      ...item,
      asPdf: flag.describe('true converts a document, spreadsheet or presentation to PDF'),
      maxBytes: z
        .int()
        .positive()
        .optional()
        .describe('Shows at most this many bytes of text; all of it by default'),
      asFile,
    }),
    async ({ asPdf, maxBytes, asFile: keep, ...place }, { upstream, files }) => {
      const ids = inAddress(place);
      const about = Content.parse(await send(upstream, `GET ${addressOfItem(place)}`, ids));
      if (about.folder !== undefined && about.folder !== null)
        throw new Error(`${about.name} is a folder: onedrive_list_files lists it`);
      const format = asPdf === true ? { format: 'pdf' } : {};
      const call = toCall(`GET ${addressOfItem(place, '/content')}`, { ...ids, ...format });
      // Microsoft redirects to another host, which the token is not sent to.
      const bytes = await readBytes(await upstream(call));
      const name = asPdf === true ? `${about.name.replace(/\.\w+$/, '')}.pdf` : about.name;
      const mimeType = asPdf === true ? 'application/pdf' : (about.file?.mimeType ?? '');
      return { name, ...(await renderFile(files, { bytes, name, mimeType }, { maxBytes, asFile: keep })) };
    },
  ),
  tool(
    'onedrive_upload_file',
    'Create a file with its content, or replace the content of a file, also a large one',
    () => ({
      path: some.describe('Path with the file name, such as Reports/plan.md, for a new file'),
      name: some.describe('File name in the folder folderId; that of the kept file by default'),
      folderId: some.describe('Id of the folder for a new file; the root by default'),
      id: some.describe('Id of a file whose content is replaced, instead of path'),
      driveId,
      ...givenContent,
      ifExists: z
        .enum(['fail', 'replace', 'rename'])
        .default('fail')
        .describe('What to do when a new file has the name of another'),
    }),
    async ({ content: written, contentBase64, file, ifExists, name: named, ...place }, context) => {
      const given = await readGiven(context.files, { content: written, contentBase64, file });
      const { bytes, mimeType } = given;
      const name = named ?? given.name;
      const to = target({ ...place, name });
      const type = mimeType || (written === undefined ? 'application/octet-stream' : 'text/plain');
      const isNew = place.id === undefined;
      if (bytes.length <= MAX_SIMPLE_BYTES) {
        const query = isNew ? { [CONFLICT]: ifExists } : {};
        const call = toCall(`PUT ${to.address}/content`, { ...to.ids, ...query }, { query: [CONFLICT] });
        const headers = { 'content-type': type };
        return showItem(await readPayload(await context.upstream({ ...call, headers, body: bytes })));
      }
      const request = `POST ${to.address}/createUploadSession` as const;
      const behaviour = { item: { [CONFLICT]: isNew ? ifExists : 'replace' } };
      const session = await send(context.upstream, request, { ...to.ids, ...behaviour });
      return showItem(await uploadPieces(context.fetch, session, bytes));
    },
    'write',
  ),
  tool(
    'onedrive_list_versions',
    'List the earlier versions of a file, newest first',
    () => ({ ...item, page }),
    ({ page: cursor, ...place }, { upstream }) =>
      readPage(upstream, `GET ${addressOfItem(place, '/versions')}`, {
        place: inAddress(place),
        page: cursor,
        show: ({ id, size, lastModifiedDateTime, lastModifiedBy }) => ({
          id,
          size,
          lastModifiedDateTime,
          lastModifiedBy: z.object({ user: z.object({ displayName: z.string() }) }).safeParse(lastModifiedBy)
            .data?.user.displayName,
        }),
      }),
  ),
];

interface Target extends Place {
  folderId?: string | undefined;
  name?: string | undefined;
}

/** Where an upload goes: the content of a file, or a name in a folder. */
function target({ id, path, driveId: drive, folderId, name }: Target): {
  address: `/${string}`;
  ids: Record<string, unknown>;
} {
  const ways = [id, path, folderId].filter((way) => way !== undefined);
  if (ways.length > 1) throw new Error('Give only one of path, folderId and id');
  const place = { id, path, driveId: drive };
  if (id !== undefined) return { address: addressOfItem(place), ids: inAddress(place) };
  if (path !== undefined) return { address: `${addressOfItem(place)}:`, ids: inAddress(place) };
  if (name === undefined) throw new Error('A new file needs a path or a name');
  const folder = folderId === undefined ? `${driveOf(place)}/root` : `${driveOf(place)}/items/{folderId}`;
  return { address: `${asPath(folder)}:/{name}:`, ids: { driveId: drive, folderId, name } };
}

/** Every address of a drive begins with a slash, which the type of a joined text does not say. */
const asPath = (address: string): `/${string}` => `/${address.slice(1)}`;
