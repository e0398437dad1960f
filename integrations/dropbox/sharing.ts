// Shared links, and the account itself.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { flag, path, row, send, some, text, withoutArguments } from './api.ts';

export const sharing: readonly Tool[] = [
  tool(
    'dropbox_create_shared_link',
    'Share a file or folder by a link',
    () => ({
      path,
      audience: z
        .enum(['public', 'team', 'no_one'])
        .optional()
        .describe('Who may open it: everybody with the link, the team, or people it is shared with already'),
      access: z.enum(['viewer', 'editor']).optional().describe('Whether they may change it'),
      linkPassword: some.describe('Password that they have to enter'),
      expires: z.iso
        .datetime({ precision: 0 })
        .optional()
        .describe('When the link ends, such as 2026-03-01T09:00:00Z'),
      allowDownload: flag.describe('false lets people look at it only'),
    }),
    ({ path: at, linkPassword, allowDownload, ...settings }, { upstream }) =>
      send(upstream, 'POST /sharing/create_shared_link_with_settings', {
        path: at,
        settings: {
          ...settings,
          link_password: linkPassword,
          require_password: linkPassword === undefined ? undefined : true,
          allow_download: allowDownload,
        },
      }),
    'write',
  ),
  row(
    'dropbox_list_shared_links',
    'POST /sharing/list_shared_links',
    'List the shared links of a file or folder, or all of the person',
    () => ({
      path: path.optional().describe('Only links to this file or folder; all links without it'),
      directOnly: flag.describe('true leaves out links to folders above it'),
      cursor: some.describe('cursor of the previous page'),
    }),
    { access: 'read' },
  ),
  row(
    'dropbox_revoke_shared_link',
    'POST /sharing/revoke_shared_link',
    'End a shared link',
    () => ({ url: text.describe('Address of the link, from dropbox_list_shared_links') }),
    { access: 'destroy' },
  ),
];

export const account: readonly Tool[] = [
  tool(
    'dropbox_whoami',
    'Show whose Dropbox is connected',
    () => ({}),
    async (_, { upstream }) => readPayload(await upstream(withoutArguments('/users/get_current_account'))),
  ),
  tool(
    'dropbox_get_space_usage',
    'Show how full the Dropbox is',
    () => ({}),
    async (_, { upstream }) => readPayload(await upstream(withoutArguments('/users/get_space_usage'))),
  ),
];
