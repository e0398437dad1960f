// The tools of Figma's REST API.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { renderImages } from './render-images.ts';

const { row } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const int = z.int().optional();
const file = { fileKey: text.describe('In the address of the file: figma.com/design/<key>/…') };
const ids = text.describe('Of nodes, separated by commas, such as 1:2,1:3');

const FILE = '/v1/files/{fileKey}';

export const tools = [
  row('figma_whoami', 'GET /v1/me', 'Who is connected', () => ({})),
  row('figma_get_file', `GET ${FILE}`, 'Get a file as a tree of nodes, as deep as depth', () => ({
    ...file,
    version: some,
    ids: ids.optional(),
    depth: z.int().min(1).default(2).describe('1 for pages, 2 for what is on them'),
  })),
  row('figma_get_file_nodes', `GET ${FILE}/nodes`, 'Get nodes of a file with what is in them', () => ({
    ...file,
    ids,
    depth: int,
  })),
  renderImages,
  row('figma_list_comments', `GET ${FILE}/comments`, 'List all comments of a file, at once', () => ({
    ...file,
    as_md: z.boolean().optional().describe('Their text as Markdown'),
  })),
  row('figma_add_comment', `POST ${FILE}/comments`, 'Comment on a file, or answer a comment', () => ({
    ...file,
    message: text,
    commentId: some.describe('The first comment of the thread to answer'),
    clientMeta: z
      .record(text, z.unknown())
      .optional()
      .describe('Where it goes, such as {"node_id":"1:2","node_offset":{"x":0,"y":0}}'),
  })),
  row(
    'figma_list_versions',
    `GET ${FILE}/versions`,
    'List versions of a file, newest first, paged by before: the id of the last one seen',
    () => ({ ...file, pageSize: z.int().min(1).max(50).optional(), before: int, after: int }),
  ),
  row(
    'figma_list_team_projects',
    'GET /v1/teams/{teamId}/projects',
    'List all projects of a team, at once',
    () => ({
      teamId: text.describe('In the address of the team: figma.com/files/team/<id>/…'),
    }),
  ),
  row(
    'figma_list_project_files',
    'GET /v1/projects/{projectId}/files',
    'List all files of a project, at once',
    () => ({ projectId: text }),
  ),
  row(
    'figma_get_file_components',
    `GET ${FILE}/components`,
    'List all published components of a file, at once',
    () => file,
  ),
];
