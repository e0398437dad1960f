// Permissions, comments, and shared drives.
import * as z from 'zod';
import { flag, pageToken, row, some, text } from '../google/oauth.ts';
import { fileId, supportsAllDrives } from './fields.ts';

const FILE = '/files/{fileId}';
const SHARED = 'nextPageToken,permissions(id,type,role,emailAddress,domain,displayName)';
const file = { fileId };
const allFields = text.default('*').describe('Fields to return, * for all');

export const sharing = [
  row('gdrive_list_permissions', `GET ${FILE}/permissions`, 'List who can access a file', () => ({
    ...file,
    // By default Google does not return whom a permission is for.
    fields: some
      .transform((fields) => fields ?? SHARED)
      .describe(`Fields to return, or * for all; ${SHARED} by default`),
    supportsAllDrives,
    pageToken,
  })),
  row(
    'gdrive_share_file',
    `POST ${FILE}/permissions?supportsAllDrives=true`,
    'Share a file with a person, a group, a domain or anyone',
    () => ({
      ...file,
      role: text.describe('reader, commenter or writer; on a shared drive also fileOrganizer or organizer'),
      type: text.describe('Who gets access: user, group, domain or anyone'),
      emailAddress: some.describe('E-mail address of the user or group'),
      domain: some.describe('For type domain, such as example.com'),
      sendNotificationEmail: flag.describe('false sends no mail to the user or group'),
    }),
    { query: ['sendNotificationEmail'] },
  ),
  row('gdrive_list_comments', `GET ${FILE}/comments`, 'List the comments on a file', () => ({
    ...file,
    fields: allFields,
    pageSize: z.int().default(20).describe('Comments per page, at most 100'),
    pageToken,
  })),
  row(
    'gdrive_create_comment',
    `POST ${FILE}/comments`,
    'Comment on a file',
    () => ({
      ...file,
      content: text.describe('Text of the comment'),
      fields: allFields,
    }),
    { query: ['fields'] },
  ),
  row(
    'gdrive_list_drives',
    'GET /drives',
    'List or search shared drives',
    () => ({
      pageSize: z.int().default(20).describe('Drives per page, at most 100'),
      pageToken,
      query: some.describe("Drive query, such as name contains 'team'"),
    }),
    { names: { query: 'q' } },
  ),
];
