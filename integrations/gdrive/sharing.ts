// Permissions, comments, and shared drives.
import * as z from 'zod';
import { flag, pageToken, row, some, text } from '../google/oauth.ts';
import { supportsAllDrives } from './shared-drives.ts';

const FILE = '/files/{fileId}';
const SHARED = 'nextPageToken,permissions(id,type,role,emailAddress,domain,displayName)';
const file = { fileId: text.describe('Id of a file or folder') };

export const sharing = [
  row(
    'gdrive_list_permissions',
    `GET ${FILE}/permissions`,
    'List who a file is shared with: all at once, on a shared drive paged by pageToken',
    () => ({
      ...file,
      // By default Google does not return whom a permission is for.
      fields: some.transform((fields) => fields ?? SHARED).describe(`Such as *; ${SHARED} unless given`),
      supportsAllDrives,
      pageToken,
    }),
  ),
  row(
    'gdrive_share_file',
    `POST ${FILE}/permissions?supportsAllDrives=true`,
    'Share a file with a person, a group, a domain or anyone',
    () => ({
      ...file,
      role: text.describe('reader, commenter, writer, or on a shared drive fileOrganizer or organizer'),
      type: text.describe('user, group, domain or anyone'),
      emailAddress: some.describe('Of the user or group'),
      domain: some.describe('Such as example.com, for everybody there'),
      sendNotificationEmail: flag,
    }),
    { query: ['sendNotificationEmail'] },
  ),
  row(
    'gdrive_list_comments',
    `GET ${FILE}/comments`,
    'List the comments on a file, paged by pageToken',
    () => ({
      ...file,
      fields: text.default('*'),
      pageSize: z.int().default(20).describe('At most 100'),
      pageToken,
    }),
  ),
  row(
    'gdrive_create_comment',
    `POST ${FILE}/comments`,
    'Comment on a file',
    () => ({ ...file, content: text, fields: text.default('*') }),
    { query: ['fields'] },
  ),
  row(
    'gdrive_list_drives',
    'GET /drives',
    'List or search shared drives, paged by pageToken',
    () => ({
      pageSize: z.int().default(20).describe('At most 100'),
      pageToken,
      query: some.describe("Such as name contains 'team'"),
    }),
    { names: { query: 'q' } },
  ),
];
