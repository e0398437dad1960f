// The tools of Figma's REST API.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { FILE_KEY, NODE_IDS, renderImages } from './render-images.ts';

const { row } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const file = { fileKey: FILE_KEY };
const versionId = z.int().optional();

const FILE = '/v1/files/{fileKey}';

export const tools = [
  row('figma_whoami', 'GET /v1/me', 'Show who is connected', () => ({})),
  row('figma_get_file', `GET ${FILE}`, 'Get a file as a tree of nodes, down to a depth', () => ({
    ...file,
    version: some.describe('Version id, from figma_list_versions; the current version by default'),
    ids: NODE_IDS.optional(),
    depth: z.int().min(1).default(2).describe('Levels to return: 1 for pages, 2 also for what is on them'),
  })),
  row(
    'figma_get_file_nodes',
    `GET ${FILE}/nodes`,
    'Get some nodes of a file with everything in them',
    () => ({
      ...file,
      ids: NODE_IDS,
      depth: z.int().optional().describe('Levels below each node; all of them by default'),
    }),
  ),
  renderImages,
  row('figma_list_comments', `GET ${FILE}/comments`, 'List all comments of a file', () => ({
    ...file,
    as_md: z.boolean().optional().describe('true for the texts as Markdown'),
  })),
  row('figma_add_comment', `POST ${FILE}/comments`, 'Comment on a file, or reply to a comment', () => ({
    ...file,
    message: text.describe('Text of the comment'),
    commentId: some.describe('First comment of the thread to reply to, an id from figma_list_comments'),
    clientMeta: z
      .record(text, z.unknown())
      .optional()
      .describe('Place of the comment, such as {"node_id":"1:2","node_offset":{"x":0,"y":0}}'),
  })),
  row('figma_list_versions', `GET ${FILE}/versions`, 'List the versions of a file, newest first', () => ({
    ...file,
    pageSize: z.int().min(1).max(50).optional().describe('Versions per page, 30 by default'),
    before: versionId.describe('Only older versions: the id of the last version of the previous page'),
    after: versionId.describe('Only newer versions than the one with this id'),
  })),
  row('figma_list_team_projects', 'GET /v1/teams/{teamId}/projects', 'List all projects of a team', () => ({
    teamId: text.describe('Team id, from the address of the team: figma.com/files/team/<id>/…'),
  })),
  row(
    'figma_list_project_files',
    'GET /v1/projects/{projectId}/files',
    'List all files of a project',
    () => ({ projectId: text.describe('Project id, from figma_list_team_projects') }),
  ),
  row(
    'figma_get_file_components',
    `GET ${FILE}/components`,
    'List all published components of a file',
    () => file,
  ),
];
