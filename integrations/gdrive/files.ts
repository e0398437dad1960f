// Files and folders, as Drive lists them. Without supportsAllDrives Drive finds nothing on shared drives.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { flag, pageToken, row, send, some, text, texts } from '../google/oauth.ts';
import { fileId, supportsAllDrives } from './fields.ts';

const SHOWN = 'id,name,mimeType,modifiedTime,size,webViewLink,parents';
const LISTED = `nextPageToken,files(${SHOWN})`;
const ALL_DRIVES = 'supportsAllDrives=true';

const parents = texts.optional().describe('Folder id, one only; the root of My Drive by default');

export const files: readonly Tool[] = [
  row('gdrive_whoami', 'GET /about', 'Show whose Drive is connected, and how full it is', () => ({
    fields: text.default('user,storageQuota').describe('Fields to return, separated by commas'),
  })),
  row(
    'gdrive_list_files',
    'GET /files',
    'List or search files and folders',
    () => ({
      query: some.describe(
        "Drive query, such as name contains 'plan' and '<folder id>' in parents and trashed = false",
      ),
      pageSize: z.int().default(20).describe('Files per page, at most 1000'),
      pageToken,
      orderBy: some.describe('Sort keys, such as modifiedTime desc, or folder,name'),
      fields: text.default(LISTED).describe('Fields to return; nextPageToken is needed for paging'),
      corpora: some.describe('Where to search: user (the default), drive or allDrives'),
      driveId: some.describe('Shared drive to search with corpora drive, an id from gdrive_list_drives'),
      includeItemsFromAllDrives: z
        .boolean()
        .default(true)
        .describe('false leaves out files on shared drives'),
      supportsAllDrives: z
        .boolean()
        .default(true)
        .describe('Must be true while includeItemsFromAllDrives is true'),
    }),
    { names: { query: 'q' } },
  ),
  row(
    'gdrive_get_file',
    'GET /files/{fileId}',
    'Get the metadata of a file or folder; gdrive_read_file returns its content',
    () => ({
      fileId,
      // By default Google returns only the name and type.
      fields: some
        .transform((fields) => fields ?? SHOWN)
        .describe(`Fields to return, such as owners,description, or * for all; ${SHOWN} by default`),
      supportsAllDrives,
    }),
  ),
  tool(
    'gdrive_create_folder',
    'Create a folder',
    () => ({ name: text.describe('Name of the folder'), parents }),
    (args, { upstream }) => {
      const folder = { ...args, mimeType: 'application/vnd.google-apps.folder' };
      return send(upstream, `POST /files?${ALL_DRIVES}`, folder);
    },
    'write',
  ),
  row('gdrive_copy_file', `POST /files/{fileId}/copy?${ALL_DRIVES}`, 'Copy a file', () => ({
    fileId,
    name: some.describe('Name of the copy'),
    parents,
  })),
  row(
    'gdrive_update_file',
    `PATCH /files/{fileId}?${ALL_DRIVES}`,
    'Rename a file, move it to another folder, or move it to the trash and back',
    () => ({
      fileId,
      name: some.describe('New name'),
      trashed: flag.describe('true moves it to the trash, false restores it'),
      addParents: some.describe('Id of the folder to move it to'),
      removeParents: some.describe('Id of the folder to move it out of'),
    }),
    { query: ['addParents', 'removeParents'] },
  ),
  row(
    'gdrive_delete_file',
    'DELETE /files/{fileId}',
    'Delete a file or a folder with everything in it for good; gdrive_update_file moves it to the trash instead',
    () => ({ fileId, supportsAllDrives }),
  ),
];
