// Lists the files of one type, which only Google Drive can do.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { pageToken, some, toCall } from './oauth.ts';

export const DRIVE_HOST = 'https://www.googleapis.com/drive/v3';

/** Lets the integration find files by name, but not read them. */
export const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.metadata.readonly';

const FIELDS = 'nextPageToken,files(id,name,modifiedTime,webViewLink,owners(emailAddress))';

export function listFiles(name: string, things: string, mimeType: string): Tool {
  return tool(
    name,
    `List or find ${things} by name, the last changed first`,
    () => ({
      name: some.describe('Words of the name, such as budget 2026; everything without it'),
      folderId: some.describe('Only in this folder, an id from gdrive_list_files'),
      pageSize: z.int().default(20).describe('Files per page, at most 1000'),
      pageToken,
    }),
    async ({ name: words, folderId, ...page }, { upstream }) => {
      const conditions = [
        `mimeType = ${quote(mimeType)}`,
        'trashed = false',
        ...(words === undefined ? [] : [`name contains ${quote(words)}`]),
        ...(folderId === undefined ? [] : [`${quote(folderId)} in parents`]),
      ];
      const query = {
        q: conditions.join(' and '),
        orderBy: 'modifiedTime desc',
        fields: FIELDS,
        includeItemsFromAllDrives: true,
        supportsAllDrives: true,
        ...page,
      };
      return readPayload(await upstream({ ...toCall('GET /files', query), at: 'drive' }));
    },
  );
}

const quote = (value: string): string => `'${value.replace(/[\\']/g, String.raw`\$&`)}'`;
