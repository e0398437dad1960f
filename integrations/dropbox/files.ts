// Files and folders: found, moved, copied, deleted and restored.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { cursor, flag, folder, path, row, send, showEntry, showWrapped, some, text } from './api.ts';

const Page = z.lazy(() =>
  z.object({
    entries: z.array(z.unknown()).default([]),
    cursor: z.string().optional(),
    has_more: z.boolean().default(false),
  }),
);
const Matches = z.lazy(() =>
  z.object({
    matches: z.array(z.looseObject({ metadata: z.looseObject({ metadata: z.looseObject({}) }) })).default([]),
    cursor: z.string().optional(),
    has_more: z.boolean().default(false),
  }),
);
const Revisions = z.lazy(() =>
  z.object({
    is_deleted: z.boolean().default(false),
    entries: z.array(z.unknown()).default([]),
    has_more: z.boolean().default(false),
  }),
);

const autorename = flag.describe('true gives it another name when there is one of that name');
const both = {
  fromPath: path,
  toPath: text.startsWith('/').describe('New path with its name, such as /Archive/plan.pdf'),
  autorename,
};

export const files: readonly Tool[] = [
  tool(
    'dropbox_list_folder',
    'List the files and folders in a folder',
    () => ({
      path: folder(),
      recursive: flag.describe('true lists everything below the folder'),
      includeDeleted: flag.describe('true lists deleted files too'),
      limit: z.int().min(1).max(2000).default(100).describe('Entries per page, about'),
      cursor,
    }),
    async ({ cursor: next, ...args }, { upstream }) => {
      const payload =
        next === undefined
          ? await send(upstream, 'POST /files/list_folder', args)
          : await send(upstream, 'POST /files/list_folder/continue', { cursor: next });
      const { entries, cursor: last, has_more: hasMore } = Page.parse(payload);
      return { entries: entries.map(showEntry), hasMore, ...(hasMore ? { cursor: last } : {}) };
    },
  ),
  tool(
    'dropbox_search',
    'Find files and folders by name or content',
    () => ({
      query: text.min(1).max(1000).describe('Words of the name or the content'),
      path: folder().describe('Folder to search in, such as /Reports; everything by default'),
      filenameOnly: flag.describe('true looks at names only'),
      fileExtensions: z.array(text).optional().describe('Only files with these endings, such as ["pdf"]'),
      maxResults: z.int().min(1).max(1000).default(20).describe('Results per page'),
      cursor,
    }),
    async ({ query, cursor: next, path: at, ...options }, { upstream }) => {
      const payload =
        next === undefined
          ? await send(upstream, 'POST /files/search_v2', {
              query,
              options: {
                path: at,
                max_results: options.maxResults,
                filename_only: options.filenameOnly,
                file_extensions: options.fileExtensions,
              },
            })
          : await send(upstream, 'POST /files/search/continue_v2', { cursor: next });
      const { matches, cursor: last, has_more: hasMore } = Matches.parse(payload);
      const entries = matches.map(({ metadata }) => showEntry(metadata.metadata));
      return { entries, hasMore, ...(hasMore ? { cursor: last } : {}) };
    },
  ),
  row(
    'dropbox_get_metadata',
    'POST /files/get_metadata',
    'Get the size, the time and the revision of a file or folder; dropbox_read_file returns its content',
    () => ({ path, includeDeleted: flag.describe('true finds a deleted file too') }),
    { access: 'read', result: showEntry },
  ),
  row(
    'dropbox_create_folder',
    'POST /files/create_folder_v2',
    'Create a folder',
    () => ({
      path: text.startsWith('/').describe('Path of the new folder, such as /Reports/2026'),
      autorename,
    }),
    { result: showWrapped },
  ),
  row('dropbox_move', 'POST /files/move_v2', 'Move or rename a file or folder', () => both, {
    result: showWrapped,
  }),
  row('dropbox_copy', 'POST /files/copy_v2', 'Copy a file or folder', () => both, { result: showWrapped }),
  row(
    'dropbox_delete',
    'POST /files/delete_v2',
    'Delete a file, or a folder with everything in it; dropbox_restore_file brings a file back',
    () => ({ path, parentRev: some.describe('Deletes the file only while this is its revision') }),
    { access: 'destroy', result: showWrapped },
  ),
  row(
    'dropbox_list_revisions',
    'POST /files/list_revisions',
    'List the earlier versions of a file, also of a deleted one',
    () => ({ path, limit: z.int().min(1).max(100).default(10).describe('Versions to return, at most 100') }),
    {
      access: 'read',
      result: (payload) => {
        const { is_deleted: isDeleted, entries, has_more: hasMore } = Revisions.parse(payload);
        return { isDeleted, hasMore, revisions: entries.map(showEntry) };
      },
    },
  ),
  row(
    'dropbox_restore_file',
    'POST /files/restore',
    'Restore an earlier version of a file, or a deleted file',
    () => ({
      path: text.startsWith('/').describe('Path to restore it to, such as /Reports/plan.pdf'),
      rev: text.describe('rev of the version, from dropbox_list_revisions'),
    }),
    { result: showEntry },
  ),
];
