// Tests Figma: tool, arguments → expected request.
import { describe, expect, it } from 'vitest';
import { figma } from '../../integrations/figma/manifest.ts';
import { sent } from '../support/capture.ts';

const file = { fileKey: 'k/ey' };
const rows: readonly (readonly [name: string, args: object, request: string])[] = [
  ['figma_whoami', {}, 'GET /v1/me'],
  ['figma_get_file', file, 'GET /v1/files/k%2Fey?depth=2'],
  [
    'figma_get_file',
    { ...file, version: '7', ids: '1:2,1:3', depth: 1 },
    'GET /v1/files/k%2Fey?version=7&ids=1:2,1:3&depth=1',
  ],
  ['figma_get_file_nodes', { ...file, ids: '1:2' }, 'GET /v1/files/k%2Fey/nodes?ids=1:2'],
  ['figma_render_images', { ...file, ids: '1:2' }, 'GET /v1/images/k%2Fey?ids=1:2&format=png'],
  [
    'figma_render_images',
    { ...file, ids: '1:2,1:3', scale: 0.5, format: 'svg' },
    'GET /v1/images/k%2Fey?ids=1:2,1:3&scale=0.5&format=svg',
  ],
  ['figma_list_comments', { ...file, as_md: true }, 'GET /v1/files/k%2Fey/comments?as_md=true'],
  [
    'figma_add_comment',
    { ...file, message: 'Schön', commentId: '9', clientMeta: { node_id: '1:2' } },
    'POST /v1/files/k%2Fey/comments {"message":"Schön","comment_id":"9","client_meta":{"node_id":"1:2"}}',
  ],
  [
    'figma_list_versions',
    { ...file, pageSize: 10, before: 5 },
    'GET /v1/files/k%2Fey/versions?page_size=10&before=5',
  ],
  ['figma_list_team_projects', { teamId: '12' }, 'GET /v1/teams/12/projects'],
  ['figma_list_project_files', { projectId: '3' }, 'GET /v1/projects/3/files'],
  ['figma_get_file_components', file, 'GET /v1/files/k%2Fey/components'],
];

describe('figma', () => {
  it.each(rows)('%s %j', async (name, args, request) => {
    expect(await sent(figma, name, args, [{ images: {} }])).toEqual([request]);
  });

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(figma.tools.map(({ name }) => name)));
  });

  it('returns only the message of an error, although half of the addresses send `error: true` beside it', async () => {
    const refusal = { status: 400, error: true, message: 'Invalid node id' };
    const answer = Response.json(refusal, { status: 400 });
    await expect(sent(figma, 'figma_get_file_components', file, [answer])).rejects.toMatchObject({
      message: '400: Invalid node id',
    });
  });

  it.each([
    ['figma_render_images', { ...file, ids: '1:2', scale: 5 }],
    ['figma_render_images', { ...file, ids: '1:2', format: 'gif' }],
    ['figma_list_versions', { ...file, pageSize: 51 }],
    ['figma_get_file', { ...file, depth: 0 }],
  ])('refuses for %s the arguments %j', async (name, args) => {
    await expect(sent(figma, name, args)).rejects.toThrow();
  });
});
