// Finds files and folders, and moves, copies and deletes them.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { toBase64 } from '../../src/kit/binary.ts';
import { literal, page, pageSize, readPage, send, some, text } from '../microsoft/graph.ts';
import { searchFor } from '../microsoft/search.ts';
import { addressOf, addressOfItem, driveId, driveOf, id, inAddress, item, showItem } from './place.ts';

const CONFLICT = '@microsoft.graph.conflictBehavior';

export const files: readonly Tool[] = [
  tool(
    'onedrive_list_drives',
    'List the drives of the person, or the document libraries of a SharePoint site',
    () => ({ siteId: some.describe('Site id, from onedrive_search_sites'), page }),
    ({ siteId, page: cursor }, { upstream }) => {
      const options = { query: { $select: 'id,name,driveType,description,webUrl' }, page: cursor };
      return siteId === undefined
        ? readPage(upstream, 'GET /me/drives', options)
        : readPage(upstream, 'GET /sites/{siteId}/drives', { ...options, place: { siteId } });
    },
  ),
  tool(
    'onedrive_search_sites',
    'Search the SharePoint sites of the organization by name',
    () => ({ query: text.describe('Words of the name'), page }),
    ({ query, page: cursor }, { upstream }) =>
      readPage(upstream, 'GET /sites', {
        query: { search: query },
        page: cursor,
        show: ({ id: siteId, displayName, description, webUrl }) => ({
          siteId,
          displayName,
          description,
          webUrl,
        }),
      }),
  ),
  tool(
    'onedrive_list_files',
    'List the files and folders in a folder; the root of the drive without id and path',
    () => ({ ...item, pageSize: pageSize(200), page }),
    ({ pageSize: $top, page: cursor, ...place }, { upstream }) =>
      readPage(upstream, `GET ${addressOf(place, '/children')}`, {
        place: inAddress(place),
        query: { $top },
        page: cursor,
        show: showItem,
      }),
  ),
  tool(
    'onedrive_search_files',
    'Search the files and folders of a drive by name and content',
    () => ({ query: text.describe('Words to find'), driveId, pageSize: pageSize(200), page }),
    ({ query, driveId: drive, pageSize: $top, page: cursor }, { upstream }) =>
      readPage(upstream, `GET ${driveOf({ driveId: drive })}/root/search(q='{q}')`, {
        place: { q: literal(query).slice(1, -1), driveId: drive },
        query: { $top },
        page: cursor,
        show: showItem,
      }),
  ),
  tool(
    'onedrive_search_everywhere',
    'Search all files of OneDrive and SharePoint that the person can open; for work and school accounts',
    () => ({
      query: text.describe(
        'Words, or terms such as filetype:docx, author:ana, path:"https://contoso.sharepoint.com/sites/x"',
      ),
      from: z.int().min(0).default(0).describe('nextFrom of the previous answer, to continue'),
      pageSize: pageSize(500),
    }),
    async ({ query, from, pageSize: size }, { upstream }) => {
      const { hits, ...more } = await searchFor(upstream, 'driveItem', { query, from, size });
      return { items: hits.map(({ resource }) => showItem(resource)), ...more };
    },
  ),
  tool(
    'onedrive_get_file',
    'Get the metadata of a file or folder; onedrive_read_file returns its content',
    () => item,
    async (place, { upstream }) =>
      showItem(await send(upstream, `GET ${addressOf(place)}`, inAddress(place))),
  ),
  tool(
    'onedrive_get_shared_file',
    'Get a file or folder by its sharing link or its address in SharePoint, with the ids for the other tools',
    () => ({
      url: z.url().describe('Link, such as https://contoso.sharepoint.com/:w:/s/x/Ea… or https://1drv.ms/…'),
    }),
    async ({ url }, { upstream }) => {
      const encoded = toBase64(new TextEncoder().encode(url));
      const share = `u!${encoded.replace(/=+$/, '').replaceAll('/', '_').replaceAll('+', '-')}`;
      const headers = { prefer: 'redeemSharingLinkIfNecessary' };
      return showItem(await send(upstream, 'GET /shares/{share}/driveItem', { share }, { headers }));
    },
  ),
  tool(
    'onedrive_create_folder',
    'Create a folder',
    () => ({
      name: text.describe('Name of the folder'),
      parentId: some.describe('Id of the folder to create it in'),
      parentPath: some.describe(
        'Path of the folder to create it in; the root without parentId and parentPath',
      ),
      driveId,
    }),
    async ({ name, parentId, parentPath, driveId: drive }, { upstream }) => {
      const parent = { id: parentId, path: parentPath, driveId: drive };
      const folder = { name, folder: {}, [CONFLICT]: 'fail' };
      const request = `POST ${addressOf(parent, '/children')}` as const;
      return showItem(await send(upstream, request, { ...inAddress(parent), ...folder }));
    },
    'write',
  ),
  tool(
    'onedrive_update_file',
    'Rename a file or folder, describe it, or move it to another folder of the same drive',
    () => ({
      ...item,
      name: some.describe('New name'),
      description: some.describe('New description'),
      folderId: some.describe('Id of the folder to move it to'),
    }),
    async ({ name, description, folderId, ...place }, { upstream }) => {
      const parentReference = folderId === undefined ? undefined : { id: folderId };
      const changes = { name, description, parentReference };
      return showItem(
        await send(upstream, `PATCH ${addressOfItem(place)}`, { ...inAddress(place), ...changes }),
      );
    },
    'write',
  ),
  tool(
    'onedrive_copy_file',
    'Copy a file or folder; the copy appears a little later',
    () => ({
      ...item,
      folderId: text.describe('Id of the folder to copy it to'),
      folderDriveId: some.describe('Id of the drive of that folder, when it is another drive'),
      name: some.describe('Name of the copy; the same by default'),
    }),
    async ({ folderId, folderDriveId, name, ...place }, { upstream }) => {
      const parentReference = { id: folderId, driveId: folderDriveId ?? place.driveId };
      const request = `POST ${addressOfItem(place, '/copy')}` as const;
      await send(upstream, request, { ...inAddress(place), name, parentReference });
      return { copying: true };
    },
    'write',
  ),
  tool(
    'onedrive_delete_file',
    'Move a file or folder to the recycle bin',
    () => ({ id, driveId }),
    (place, { upstream }) => send(upstream, `DELETE ${addressOfItem(place)}`, inAddress(place)),
    'destroy',
  ),
];
