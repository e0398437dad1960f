// Says where a file or folder is: by id or by path, in the person's own drive or in another one.
import * as z from 'zod';
import { type Item, some, text } from '../microsoft/graph.ts';

export const driveId = some.describe(
  'Id of another drive, such as a library of SharePoint, from onedrive_list_drives; the own drive by default',
);
export const id = text.describe(
  'Id of the file or folder, from onedrive_list_files or onedrive_search_files',
);
const path = some.describe('Path from the root of the drive, such as Reports/2026/plan.docx, instead of id');

export const item = { id: id.optional(), path, driveId };

export interface Place {
  id?: string | undefined;
  path?: string | undefined;
  driveId?: string | undefined;
}

export const driveOf = ({ driveId: drive }: Pick<Place, 'driveId'>): `/${string}` =>
  drive === undefined ? '/me/drive' : '/drives/{driveId}';

/** Without an id and a path the root of the drive. `below` follows, such as `/children`. */
export function addressOf(place: Place, below: '' | `/${string}` = ''): `/${string}` {
  const drive = driveOf(place);
  const isRoot = place.path === undefined || /^\/*$/.test(place.path);
  if (place.id !== undefined && !isRoot) throw new Error('Give id or path, not both');
  if (place.id !== undefined) return `${drive}/items/{id}${below}`;
  if (isRoot) return `${drive}/root${below}`;
  // A second colon ends the path.
  return `${drive}/root:/{path+}${below === '' ? '' : `:${below}`}`;
}

/** Like `addressOf`, for tools that are not for a whole drive. */
export function addressOfItem(place: Place, below: '' | `/${string}` = ''): `/${string}` {
  if (place.id === undefined && (place.path ?? '') === '') throw new Error('Give id or path');
  return addressOf(place, below);
}

/** The part of a place that its address contains. */
export const inAddress = (place: Place): Record<string, unknown> => ({
  id: place.id,
  driveId: place.driveId,
  path: /^\/*$/.test(place.path ?? '') ? undefined : place.path,
});

const name = z.string().nullish();
const Person = z.lazy(() => z.object({ user: z.object({ displayName: name }).nullish() }).nullish());

const DriveItem = z.lazy(() =>
  z.object({
    id: z.string(),
    name,
    size: z.number().nullish(),
    description: name,
    file: z.object({ mimeType: name }).nullish(),
    folder: z.object({ childCount: z.number().nullish() }).nullish(),
    createdDateTime: name,
    lastModifiedDateTime: name,
    lastModifiedBy: Person,
    parentReference: z.object({ driveId: name, id: name, path: name }).nullish(),
    remoteItem: z
      .object({ id: z.string(), parentReference: z.object({ driveId: name }).nullish() })
      .nullish(),
    webUrl: name,
  }),
);

export function showItem(payload: unknown): Item {
  const found = DriveItem.parse(payload);
  const { parentReference: parent, remoteItem } = found;
  return {
    id: found.id,
    name: found.name,
    kind: found.folder === undefined || found.folder === null ? 'file' : 'folder',
    mimeType: found.file?.mimeType ?? undefined,
    size: found.size,
    childCount: found.folder?.childCount ?? undefined,
    description: found.description || undefined,
    lastModifiedDateTime: found.lastModifiedDateTime,
    lastModifiedBy: found.lastModifiedBy?.user?.displayName ?? undefined,
    // `/drives/b!x/root:/Reports` is the folder Reports.
    folderPath: parent?.path?.replace(/^[^:]*:\/?/, '') ?? undefined,
    folderId: parent?.id ?? undefined,
    driveId: parent?.driveId ?? undefined,
    // The item is a link to this one, which somebody shares.
    ...(remoteItem === undefined || remoteItem === null
      ? {}
      : { target: { id: remoteItem.id, driveId: remoteItem.parentReference?.driveId } }),
    webUrl: found.webUrl,
  };
}
