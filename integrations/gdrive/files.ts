// Files and folders, as Drive lists them. Without supportsAllDrives Drive finds nothing on shared drives.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { flag, pageToken, row, send, some, text, texts } from '../google/oauth.ts';
import { supportsAllDrives } from './shared-drives.ts';

const SHOWN = 'id,name,mimeType,modifiedTime,size,webViewLink,parents';
const LISTED = `nextPageToken,files(${SHOWN})`;
const ALL_DRIVES = 'supportsAllDrives=true';

const fileId = text.describe('Id of a file or folder');
const parents = texts.optional().describe('Id of the folder; the root of My Drive unless given');

export const files: readonly Tool[] = [
  row('gdrive_whoami', 'GET /about', 'Whose Drive it is, and how much is in it', () => ({
    fields: text.default('user,storageQuota'),
  })),
  row(
    'gdrive_list_files',
    'GET /files',
    'List or search files and folders, paged by pageToken',
    () => ({
      query: some.describe("Such as name contains 'plan' and '<folder id>' in parents and trashed = false"),
      pageSize: z.int().default(20).describe('At most 1000'),
      pageToken,
      orderBy: some.describe('Such as modifiedTime desc, or folder,name'),
      fields: text.default(LISTED),
      corpora: some.describe('user, drive or allDrives'),
      driveId: some.describe('A shared drive, with corpora drive'),
      includeItemsFromAllDrives: z.boolean().default(true),
      supportsAllDrives: z.boolean().default(true),
    }),
    { names: { query: 'q' } },
  ),
  row('gdrive_get_file', 'GET /files/{fileId}', 'Get what is known of a file, not its content', () => ({
    fileId,
    // By default Google returns only the name and type.
    fields: some
      .transform((fields) => fields ?? SHOWN)
      .describe(`Such as owners,description or *; ${SHOWN} unless given`),
    supportsAllDrives,
  })),
  tool(
    'gdrive_create_folder',
    'Create a folder',
    () => ({ name: text, parents }),
    (args, { upstream }) => {
      const folder = { ...args, mimeType: 'application/vnd.google-apps.folder' };
      return send(upstream, `POST /files?${ALL_DRIVES}`, folder);
    },
    'write',
  ),
  row('gdrive_copy_file', `POST /files/{fileId}/copy?${ALL_DRIVES}`, 'Copy a file', () => ({
    fileId,
    name: some.describe('Of the copy'),
    parents,
  })),
  row(
    'gdrive_update_file',
    `PATCH /files/{fileId}?${ALL_DRIVES}`,
    'Rename a file, move it to another folder, or move it to the trash and back',
    () => ({
      fileId,
      name: some,
      trashed: flag,
      addParents: some.describe('Id of the folder it goes to'),
      removeParents: some.describe('Id of the folder it leaves'),
    }),
    { query: ['addParents', 'removeParents'] },
  ),
  row(
    'gdrive_delete_file',
    'DELETE /files/{fileId}',
    'Delete a file for good, not into the trash; a folder with all that is in it',
    () => ({ fileId, supportsAllDrives }),
  ),
];
