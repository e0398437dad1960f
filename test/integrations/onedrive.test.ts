// Tests OneDrive: tool, arguments → expected requests; then files from the sign-in on, against a fake after the docs.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onedrive } from '../../integrations/onedrive/manifest.ts';
import { sent } from '../support/capture.ts';
import type { ApiCall } from '../support/fake-oauth-api.ts';
import { type FakeGraph, keepFile, refuse, startGraph } from '../support/fake-graph.ts';
import { downloadFile, fileIn } from '../support/files.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';

const none = [{ value: [] }];
const made = [{ id: 'f' }];
const LIB = '/drives/b!x%2Fy';
const library = { driveId: 'b!x/y' };
const FAIL = '@microsoft.graph.conflictBehavior=fail';

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /me/drive?$select=id,driveType,owner,quota,webUrl'],
  ['list_drives', {}, 'GET /me/drives?$select=id,name,driveType,description,webUrl', none],
  [
    'list_drives',
    { siteId: 'x.sharepoint.com,1,2' },
    'GET /sites/x.sharepoint.com%2C1%2C2/drives?$select=id,name,driveType,description,webUrl',
    none,
  ],
  ['search_sites', { query: 'Größe' }, 'GET /sites?search=Größe', none],
  ['list_files', {}, 'GET /me/drive/root/children?$top=20', none],
  ['list_files', { path: '/' }, 'GET /me/drive/root/children?$top=20', none],
  [
    'list_files',
    { path: '/Büro/a b/', ...library, pageSize: 2 },
    `GET ${LIB}/root:/B%C3%BCro/a%20b:/children?$top=2`,
    none,
  ],
  ['list_files', { id: 'F!1' }, 'GET /me/drive/items/F!1/children?$top=20', none],
  ['search_files', { query: "Ana's a/b" }, "GET /me/drive/root/search(q='Ana''s%20a%2Fb')?$top=20", none],
  ['search_files', { query: 'x', ...library }, `GET ${LIB}/root/search(q='x')?$top=20`, none],
  [
    'search_everywhere',
    { query: 'Größe', pageSize: 5 },
    'POST /search/query {"requests":[{"entityTypes":["driveItem"],"query":{"queryString":"Größe"},"from":0,"size":5}]}',
  ],
  ['get_file', { id: 'f', ...library }, `GET ${LIB}/items/f`, made],
  ['get_file', { path: 'a/b.md' }, 'GET /me/drive/root:/a/b.md', made],
  [
    'get_shared_file',
    { url: 'https://onedrive.live.com/redir?resid=1231244193912!12&authKey=1201919!12921!1' },
    'GET /shares/u!aHR0cHM6Ly9vbmVkcml2ZS5saXZlLmNvbS9yZWRpcj9yZXNpZD0xMjMxMjQ0MTkzOTEyITEyJmF1dGhLZXk9MTIwMTkxOSExMjkyMSEx/driveItem',
    made,
  ],
  [
    'create_folder',
    { name: 'Büro', parentPath: 'a', ...library },
    `POST ${LIB}/root:/a:/children {"name":"Büro","folder":{},"@microsoft.graph.conflictBehavior":"fail"}`,
    made,
  ],
  [
    'create_folder',
    { name: 'b', parentId: 'p' },
    'POST /me/drive/items/p/children {"name":"b","folder":{},"@microsoft.graph.conflictBehavior":"fail"}',
    made,
  ],
  [
    'update_file',
    { id: 'f', name: 'neu', folderId: 'p', description: 'ü' },
    'PATCH /me/drive/items/f {"name":"neu","description":"ü","parentReference":{"id":"p"}}',
    made,
  ],
  [
    'copy_file',
    { path: 'a.md', folderId: 'p', name: 'b.md', ...library },
    `POST ${LIB}/root:/a.md:/copy {"name":"b.md","parentReference":{"id":"p","driveId":"b!x/y"}}`,
  ],
  [
    'copy_file',
    { id: 'f', folderId: 'p', folderDriveId: 'd2' },
    'POST /me/drive/items/f/copy {"parentReference":{"id":"p","driveId":"d2"}}',
  ],
  ['delete_file', { id: 'f' }, 'DELETE /me/drive/items/f'],
  [
    'read_file',
    { id: 'f' },
    ['GET /me/drive/items/f', 'GET /me/drive/items/f/content'],
    [{ name: 'a.txt', file: { mimeType: 'text/plain' } }, new Response('ü')],
  ],
  [
    'read_file',
    { path: 'a.docx', asPdf: true, ...library },
    [`GET ${LIB}/root:/a.docx`, `GET ${LIB}/root:/a.docx:/content?format=pdf`],
    [{ name: 'a.docx', file: {} }, new Response('%PDF')],
  ],
  ['upload_file', { path: 'a/b.md', content: 'ü' }, `PUT /me/drive/root:/a/b.md:/content?${FAIL}`, made],
  [
    'upload_file',
    { folderId: 'p', name: 'b.md', content: 'ü', ifExists: 'rename', ...library },
    `PUT ${LIB}/items/p:/b.md:/content?@microsoft.graph.conflictBehavior=rename`,
    made,
  ],
  ['upload_file', { name: 'b.md', content: 'ü' }, `PUT /me/drive/root:/b.md:/content?${FAIL}`, made],
  ['upload_file', { id: 'f', content: 'ü' }, 'PUT /me/drive/items/f/content', made],
  ['list_versions', { path: 'a.md' }, 'GET /me/drive/root:/a.md:/versions', none],
  [
    'create_share_url',
    { id: 'f', type: 'view', scope: 'organization', expirationDateTime: '2026-04-01T00:00:00Z' },
    'POST /me/drive/items/f/createLink {"type":"view","scope":"organization","expirationDateTime":"2026-04-01T00:00:00Z"}',
    [{ link: {} }],
  ],
  [
    'share_file',
    { id: 'f', people: ['b@x.org'], role: 'write', message: 'ü' },
    'POST /me/drive/items/f/invite {"recipients":[{"email":"b@x.org"}],"roles":["write"],"message":"ü","sendInvitation":true,"requireSignIn":true}',
  ],
  ['list_permissions', { id: 'f' }, 'GET /me/drive/items/f/permissions', none],
  [
    'delete_permission',
    { path: 'a.md', permissionId: 'p=', ...library },
    `DELETE ${LIB}/root:/a.md:/permissions/p%3D`,
  ],
];

describe('the requests of OneDrive', () => {
  it.each(rows.map(([name, args, requests, answers]) => ({ name, args, requests, answers })))(
    'onedrive_$name $args',
    async ({ name, args, requests, answers }) => {
      expect(await sent(onedrive, `onedrive_${name}`, args, answers)).toEqual([requests].flat());
    },
  );

  it('names every tool', () => {
    const named = new Set(rows.map(([name]) => `onedrive_${name}`));
    expect(onedrive.tools.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it.each([
    ['get_file', { id: 'f', path: 'a' }, 'not both'],
    ['read_file', {}, 'Give id or path'],
    ['read_file', { path: '' }, 'Give id or path'],
    ['read_file', { path: 'a/../b' }, 'cannot be part of an address'],
    ['update_file', { name: 'x' }, 'Give id or path'],
    ['create_share_url', { type: 'view' }, 'Give id or path'],
    ['upload_file', { content: 'x' }, 'needs a path or a name'],
    ['upload_file', { path: 'a', id: 'f', content: 'x' }, 'only one of'],
    ['upload_file', { path: 'a', content: 'x', contentBase64: 'eA==' }, 'exactly one of'],
  ])('onedrive_%s refuses %j', async (name, args, words) => {
    await expect(sent(onedrive, `onedrive_${name}`, args)).rejects.toThrow(words);
  });
});

const ITEM = {
  '@microsoft.graph.downloadUrl': 'https://x.sharepoint.com/download?tempauth=secret',
  id: 'f1',
  name: 'Plan.bin',
  size: 3,
  file: { mimeType: 'application/octet-stream', hashes: {} },
  lastModifiedDateTime: '2026-03-02T09:00:00Z',
  lastModifiedBy: { user: { displayName: 'Ana', id: 'u1' } },
  parentReference: { driveId: 'd1', id: 'p1', path: '/drive/root:/Büro/2026' },
  webUrl: 'https://x.sharepoint.com/Plan.bin',
};
const SHOWN = {
  id: 'f1',
  name: 'Plan.bin',
  kind: 'file',
  mimeType: 'application/octet-stream',
  size: 3,
  lastModifiedDateTime: '2026-03-02T09:00:00Z',
  lastModifiedBy: 'Ana',
  folderPath: 'Büro/2026',
  folderId: 'p1',
  driveId: 'd1',
  webUrl: 'https://x.sharepoint.com/Plan.bin',
};

describe('files at OneDrive', () => {
  let graph: FakeGraph;
  let storage: HttpServer;
  let atStorage: { line: string; authorization: string | undefined; bytes: Buffer }[] = [];
  const STORAGE = 'https://x.sharepoint.com';

  beforeAll(async () => {
    storage = await startHttpServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { 'content-range': range = '', authorization } = request.headers;
        const line = `${request.method} ${request.url} ${range}`.trim();
        atStorage.push({ line, authorization, bytes: Buffer.concat(parts) });
        if (request.method === 'GET') return void response.end(Buffer.from([1, 0, 2]));
        const [, end, total] = /-(\d+)\/(\d+)$/.exec(range) ?? [];
        const isLast = Number(end) + 1 === Number(total);
        response.writeHead(isLast ? 201 : 202, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isLast ? ITEM : { nextExpectedRanges: [`${Number(end) + 1}-`] }));
      });
    });
    graph = await startGraph('onedrive', answer, `${STORAGE}=http://127.0.0.1:${storage.port}`);
  });
  afterAll(async () => {
    await graph?.close();
    await storage?.close();
  });
  beforeEach(() => {
    atStorage = [];
  });

  function answer({ method, path, query, body }: ApiCall): Response {
    switch (`${method} ${path}`) {
      case 'GET /me/drive/root/children': {
        const isFirst = query['$skiptoken'] === undefined;
        const folder = { id: 'p', name: 'Büro', size: 9, folder: { childCount: 2 } };
        const link = 'https://graph.microsoft.com/v1.0/me/drive/root/children?$top=1&$skiptoken=MQ';
        return Response.json(isFirst ? { value: [ITEM], '@odata.nextLink': link } : { value: [folder] });
      }
      case 'GET /me/drive/items/f1':
        return Response.json(ITEM);
      case 'GET /me/drive/items/f1/content':
        return new Response(null, {
          status: 302,
          headers: { location: `${STORAGE}/download?tempauth=secret` },
        });
      case 'GET /me/drive/items/p':
        return Response.json({ id: 'p', name: 'Büro', folder: { childCount: 2 } });
      case 'POST /me/drive/root:/big.bin:/createUploadSession':
        return Object(body).item['@microsoft.graph.conflictBehavior'] === 'replace'
          ? Response.json({ uploadUrl: `${STORAGE}/up/1?tempauth=secret` })
          : refuse(409, 'nameAlreadyExists');
      case 'GET /me/drive/items/f1/permissions':
        return Response.json({
          value: [
            {
              '@odata.type': '#microsoft.graph.permission',
              id: 'p1',
              roles: ['read'],
              link: { type: 'view', scope: 'anonymous', webUrl: 'https://1drv.ms/x' },
            },
            { id: 'p2', roles: ['write'], grantedToV2: { user: { displayName: 'Bob' } } },
          ],
        });
      case 'POST /me/drive/items/f1/createLink':
        return Response.json(
          {
            id: 'p1',
            roles: ['read'],
            link: { type: 'view', scope: 'anonymous', webUrl: 'https://1drv.ms/x' },
          },
          { status: 201 },
        );
      case 'POST /me/drive/items/f1/copy':
        return new Response(null, { status: 202, headers: { location: `${STORAGE}/monitor/1` } });
      default:
        return refuse(404, `no ${method} ${path}`);
    }
  }

  it('lists files and folders without addresses that need no sign-in, page by page', async () => {
    const first = await graph.ana.run('onedrive_list_files', { pageSize: 1 });
    expect(first).toEqual({ items: [SHOWN], nextPage: '$top=1&$skiptoken=MQ' });
    expect(JSON.stringify(first)).not.toContain('tempauth');
    const { nextPage: page } = Object(first);
    expect(await graph.ana.run('onedrive_list_files', { page })).toEqual({
      items: [{ id: 'p', name: 'Büro', kind: 'folder', size: 9, childCount: 2 }],
    });
  });

  it('reads a file from the host that keeps it, without the token', async () => {
    const read = await graph.ana.run('onedrive_read_file', { id: 'f1' });
    expect(fileIn(read)).toMatchObject({ name: 'Plan.bin', bytes: 3 });
    expect(await downloadFile(graph.app, read)).toEqual(Buffer.from([1, 0, 2]));
    expect(atStorage.map(({ line, authorization }) => [line, authorization])).toEqual([
      ['GET /download?tempauth=secret', undefined],
    ]);
    await expect(graph.ana.run('onedrive_read_file', { id: 'p' })).rejects.toThrow(
      'onedrive_list_files lists it',
    );
  });

  it('uploads a large kept file in pieces, without the token', async () => {
    const bytes = Buffer.alloc(4_500_000, 'ü');
    const { handle } = await keepFile(graph, 'big.bin', bytes);
    const args = { path: 'big.bin', file: `file:${handle}` };
    await expect(graph.ana.run('onedrive_upload_file', args)).rejects.toThrow('nameAlreadyExists');
    expect(await graph.ana.run('onedrive_upload_file', { ...args, ifExists: 'replace' })).toEqual(SHOWN);
    expect(atStorage.map(({ line, authorization }) => [line, authorization])).toEqual([
      ['PUT /up/1?tempauth=secret bytes 0-3932159/4500000', undefined],
      ['PUT /up/1?tempauth=secret bytes 3932160-4499999/4500000', undefined],
    ]);
    expect(Buffer.concat(atStorage.map((piece) => piece.bytes)).equals(bytes)).toBe(true);
  });

  it('shows who can open a file, and the address of a new link', async () => {
    expect(await graph.ana.run('onedrive_list_permissions', { id: 'f1' })).toEqual({
      items: [
        {
          id: 'p1',
          roles: ['read'],
          link: { type: 'view', scope: 'anonymous', webUrl: 'https://1drv.ms/x' },
        },
        { id: 'p2', roles: ['write'], grantedTo: { user: { displayName: 'Bob' } } },
      ],
    });
    expect(await graph.ana.run('onedrive_create_share_url', { id: 'f1', type: 'view' })).toEqual({
      permissionId: 'p1',
      url: 'https://1drv.ms/x',
      type: 'view',
      scope: 'anonymous',
    });
  });

  it('copies without waiting for the copy, and says why in the words of Microsoft', async () => {
    expect(await graph.ana.run('onedrive_copy_file', { id: 'f1', folderId: 'p' })).toEqual({ copying: true });
    await expect(graph.ana.run('onedrive_get_file', { id: 'gone' })).rejects.toThrow(
      'no GET /me/drive/items/gone',
    );
  });
});
