// The person, workspaces, spaces, folders and lists.
import { type Tool, tool } from '../../src/kit/integration.ts';
import { flag, LIST, row, send, some, SPACE, text, tidy, WORKSPACE } from './api.ts';

const result = tidy;
const archived = flag.describe('true for archived ones instead');

export const spaces: readonly Tool[] = [
  row('clickup_whoami', 'GET /v2/user', 'Show who is connected', () => ({}), { result }),
  row(
    'clickup_list_workspaces',
    'GET /v2/team',
    'List the workspaces of the person, with the people in them',
    () => ({}),
    { result },
  ),
  row(
    'clickup_list_spaces',
    'GET /v2/team/{workspaceId}/space',
    'List the spaces of a workspace, with the statuses of their tasks',
    () => ({ workspaceId: text.describe(WORKSPACE), archived }),
    { result },
  ),
  tool(
    'clickup_list_lists',
    'List the lists of a space: those in folders, and those without a folder',
    () => ({ spaceId: text.describe(SPACE), archived }),
    async (args, { upstream }) => {
      const folders = await send(upstream, 'GET /v2/space/{spaceId}/folder', args);
      const lists = await send(upstream, 'GET /v2/space/{spaceId}/list', args);
      return tidy({ ...Object(folders), ...Object(lists) });
    },
  ),
  row(
    'clickup_get_list',
    'GET /v2/list/{listId}',
    'Get a list with the statuses that its tasks can have',
    () => ({ listId: text.describe(LIST) }),
    { result },
  ),
  row(
    'clickup_list_custom_fields',
    'GET /v2/list/{listId}/field',
    'List the custom fields of a list, with their types and options',
    () => ({ listId: text.describe(LIST) }),
  ),
  tool(
    'clickup_create_list',
    'Create a list in a folder, or in a space without a folder',
    () => ({
      name: text.min(1).describe('Name of the list'),
      folderId: some.describe('Folder id, from clickup_list_lists; give this or spaceId'),
      spaceId: some.describe(SPACE),
      markdownContent: some.describe('Description in Markdown'),
    }),
    async ({ folderId, spaceId, ...list }, { upstream }) => {
      if ((folderId === undefined) === (spaceId === undefined))
        throw new Error('Give a folderId or a spaceId');
      const made =
        folderId === undefined
          ? await send(upstream, 'POST /v2/space/{spaceId}/list', { spaceId, ...list })
          : await send(upstream, 'POST /v2/folder/{folderId}/list', { folderId, ...list });
      return tidy(made);
    },
    'write',
  ),
];
