// Tests Dropbox: the requests of every tool, entries in one form, and files in and out over the other host.
import { describe, expect, it } from 'vitest';
import { dropbox } from '../../integrations/dropbox/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const p = { path: '/Büro/plan.pdf' };
const ENTRY = {
  '.tag': 'file',
  id: 'id:a1',
  name: 'plan.pdf',
  path_lower: '/büro/plan.pdf',
  path_display: '/Büro/plan.pdf',
  size: 12,
  server_modified: '2026-03-01T09:00:00Z',
  rev: '015f',
  is_downloadable: true,
  content_hash: 'e3b0',
};
const SHOWN = {
  type: 'file',
  id: 'id:a1',
  name: 'plan.pdf',
  path: '/Büro/plan.pdf',
  bytes: 12,
  modifiedAt: '2026-03-01T09:00:00Z',
  rev: '015f',
};
const WRAPPED = { metadata: ENTRY };

const TABLE: [tool: string, args: object, request: string, answer?: object][] = [
  ['whoami', {}, 'POST /users/get_current_account null'],
  ['get_space_usage', {}, 'POST /users/get_space_usage null'],
  ['list_folder', {}, 'POST /files/list_folder {"path":"","limit":100}'],
  [
    'list_folder',
    { path: '/', recursive: true, includeDeleted: true, limit: 5 },
    'POST /files/list_folder {"path":"","recursive":true,"include_deleted":true,"limit":5}',
  ],
  ['list_folder', { cursor: 'c2' }, 'POST /files/list_folder/continue {"cursor":"c2"}'],
  [
    'search',
    { query: 'Größe' },
    'POST /files/search_v2 {"query":"Größe","options":{"path":"","max_results":20}}',
  ],
  [
    'search',
    { query: 'x', path: '/Büro', filenameOnly: true, fileExtensions: ['pdf'], maxResults: 5 },
    'POST /files/search_v2 {"query":"x","options":{"path":"/Büro","max_results":5,"filename_only":true,"file_extensions":["pdf"]}}',
  ],
  ['search', { query: 'x', cursor: 'c2' }, 'POST /files/search/continue_v2 {"cursor":"c2"}'],
  [
    'get_metadata',
    { ...p, includeDeleted: true },
    'POST /files/get_metadata {"path":"/Büro/plan.pdf","include_deleted":true}',
  ],
  [
    'create_folder',
    { path: '/Büro', autorename: true },
    'POST /files/create_folder_v2 {"path":"/Büro","autorename":true}',
    WRAPPED,
  ],
  [
    'move',
    { fromPath: 'id:a1', toPath: '/b' },
    'POST /files/move_v2 {"from_path":"id:a1","to_path":"/b"}',
    WRAPPED,
  ],
  [
    'copy',
    { fromPath: '/a', toPath: '/b', autorename: true },
    'POST /files/copy_v2 {"from_path":"/a","to_path":"/b","autorename":true}',
    WRAPPED,
  ],
  [
    'delete',
    { ...p, parentRev: '015f' },
    'POST /files/delete_v2 {"path":"/Büro/plan.pdf","parent_rev":"015f"}',
    WRAPPED,
  ],
  ['list_revisions', p, 'POST /files/list_revisions {"path":"/Büro/plan.pdf","limit":10}'],
  ['restore_file', { ...p, rev: '015f' }, 'POST /files/restore {"path":"/Büro/plan.pdf","rev":"015f"}'],
  [
    'get_temporary_link',
    p,
    'POST /files/get_temporary_link {"path":"/Büro/plan.pdf"}',
    { link: 'https://dl.example/x', metadata: ENTRY },
  ],
  [
    'create_shared_link',
    {
      ...p,
      audience: 'public',
      access: 'viewer',
      linkPassword: 'geheim',
      expires: '2026-03-01T09:00:00Z',
      allowDownload: false,
    },
    'POST /sharing/create_shared_link_with_settings {"path":"/Büro/plan.pdf","settings":{"audience":"public","access":"viewer","expires":"2026-03-01T09:00:00Z","link_password":"geheim","require_password":true,"allow_download":false}}',
  ],
  [
    'create_shared_link',
    p,
    'POST /sharing/create_shared_link_with_settings {"path":"/Büro/plan.pdf","settings":{}}',
  ],
  [
    'list_shared_links',
    { ...p, directOnly: true, cursor: 'c2' },
    'POST /sharing/list_shared_links {"path":"/Büro/plan.pdf","direct_only":true,"cursor":"c2"}',
  ],
  [
    'revoke_shared_link',
    { url: 'https://www.dropbox.com/s/x' },
    'POST /sharing/revoke_shared_link {"url":"https://www.dropbox.com/s/x"}',
  ],
];
/** Their arguments are in a header. */
const CONTENT = ['read_file', 'export_file', 'upload_file'];

describe('the requests of Dropbox', () => {
  it.each(TABLE)('dropbox_%s %j', async (name, args, request, answer) => {
    expect(await sent(dropbox, `dropbox_${name}`, args, answer === undefined ? [] : [answer])).toEqual([
      request,
    ]);
  });

  it('names every tool, with the three whose arguments are in a header', () => {
    expect(new Set([...TABLE.map(([name]) => name), ...CONTENT])).toEqual(
      new Set(dropbox.tools.map(({ name }) => name.replace('dropbox_', ''))),
    );
  });
});

/** A Dropbox with one file, which refuses every request that its documentation does not describe. */
async function use(tool: string, args: object, files = createMemoryFiles()) {
  const calls: UpstreamCall[] = [];
  const upstream = async (call: UpstreamCall): Promise<Response> => {
    calls.push(call);
    const { method, at, path, body, headers = {} } = call;
    const refuse = (status: number, error_summary: string, error: object) =>
      Response.json({ error_summary, error }, { status });
    if (method !== 'POST') return new Response('Unexpected method', { status: 400 });
    if (at === 'content') {
      const given = headers['dropbox-api-arg'] ?? '';
      if (headers['content-type'] !== 'application/octet-stream' || !/^[ -~]+$/.test(given))
        return new Response('Bad HTTP header', { status: 400 });
      const asked = JSON.parse(given);
      if (path === '/files/upload') {
        if (asked.mode === 'add' && asked.path === ENTRY.path_display)
          return refuse(409, 'path/conflict/file/..', { '.tag': 'path', reason: { '.tag': 'conflict' } });
        return Response.json({ ...ENTRY, '.tag': undefined, name: asked.path.split('/').at(-1) });
      }
      const result =
        path === '/files/export' ? { export_metadata: { name: 'Notiz.md' } } : { name: 'Größe.txt' };
      if (asked.path !== p.path)
        return refuse(409, 'path/not_found/..', { '.tag': 'path', path: { '.tag': 'not_found' } });
      return new Response(path === '/files/export' ? '# Notiz' : 'Schöne Grüße', {
        headers: {
          'content-type': 'application/octet-stream',
          'dropbox-api-result': JSON.stringify(result).replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        },
      });
    }
    if (path === '/files/list_folder')
      return Response.json({
        entries: [{ '.tag': 'folder', id: 'id:f', name: 'Büro' }, ENTRY],
        cursor: 'c2',
        has_more: true,
      });
    if (path === '/files/list_folder/continue' && body === '{"cursor":"c2"}')
      return Response.json({
        entries: [{ ...ENTRY, is_downloadable: false, export_info: { export_as: 'markdown' } }],
        cursor: 'c3',
        has_more: false,
      });
    if (path === '/files/search_v2')
      return Response.json({
        matches: [{ match_type: { '.tag': 'filename' }, metadata: { '.tag': 'metadata', metadata: ENTRY } }],
        has_more: false,
      });
    if (path === '/files/list_revisions')
      return Response.json({ is_deleted: true, entries: [ENTRY], has_more: false });
    if (path === '/files/delete_v2') return Response.json({ metadata: ENTRY });
    if (path === '/files/get_temporary_link')
      return Response.json({ link: 'https://dl.example/x', metadata: ENTRY });
    return refuse(409, 'path/not_found/', { '.tag': 'path', path: { '.tag': 'not_found' } });
  };
  const result = await run(dropbox, `dropbox_${tool}`, args, {
    userId: 'u',
    clock: createFakeClock(),
    files,
    upstream,
    fetch: () => Promise.reject(new Error('no address is fetched')),
  });
  return { result, calls };
}

describe('the files in a Dropbox', () => {
  it('are listed page by page, and say how a document without bytes is read', async () => {
    expect((await use('list_folder', {})).result).toEqual({
      entries: [{ type: 'folder', id: 'id:f', name: 'Büro' }, SHOWN],
      hasMore: true,
      cursor: 'c2',
    });
    expect((await use('list_folder', { cursor: 'c2' })).result).toEqual({
      entries: [{ ...SHOWN, exportAs: 'markdown' }],
      hasMore: false,
    });
  });

  it('have the same form wherever they are named', async () => {
    expect((await use('search', { query: 'plan' })).result).toEqual({ entries: [SHOWN], hasMore: false });
    expect((await use('delete', p)).result).toEqual(SHOWN);
    expect((await use('list_revisions', p)).result).toEqual({
      isDeleted: true,
      hasMore: false,
      revisions: [SHOWN],
    });
    expect((await use('get_temporary_link', p)).result).toEqual({ link: 'https://dl.example/x', ...SHOWN });
  });

  it('are read and exported with the names that Dropbox gives them', async () => {
    const { result, calls } = await use('read_file', p);
    expect(result).toEqual({
      name: 'Größe.txt',
      mimeType: '',
      encoding: 'text',
      content: 'Schöne Grüße',
      truncated: false,
    });
    expect(calls[0]?.headers?.['dropbox-api-arg']).toBe('{"path":"/B\\u00fcro/plan.pdf"}');
    expect((await use('read_file', { ...p, maxBytes: 6 })).result).toMatchObject({
      content: 'Schön',
      truncated: true,
    });
    const exported = await use('export_file', { ...p, exportFormat: 'markdown' });
    expect(exported.result).toMatchObject({ name: 'Notiz.md', content: '# Notiz' });
    expect(exported.calls[0]?.headers?.['dropbox-api-arg']).toBe(
      '{"path":"/B\\u00fcro/plan.pdf","export_format":"markdown"}',
    );
  });

  it('are kept as files, which can be uploaded elsewhere', async () => {
    const files = createMemoryFiles();
    const { result } = await use('read_file', { ...p, asFile: true }, files);
    const { handle } = Object(result).file;
    const { result: uploaded, calls } = await use(
      'upload_file',
      { path: '/neu.txt', file: `file:${handle}` },
      files,
    );
    expect(uploaded).toMatchObject({ name: 'neu.txt', rev: '015f' });
    expect(new TextDecoder().decode(Object(calls[0]).body)).toBe('Schöne Grüße');
  });

  it.each([
    [{ overwrite: true }, '"mode":"overwrite"'],
    [{ updateRev: '015f' }, '"mode":{".tag":"update","update":"015f"}'],
    [{ autorename: true, path: '/x' }, '"mode":"add","autorename":true'],
  ])('are replaced only when it is asked for: %j', async (args, mode) => {
    const { calls } = await use('upload_file', { ...p, content: 'x', ...args });
    expect(calls[0]).toMatchObject({ at: 'content', path: '/files/upload' });
    expect(calls[0]?.headers?.['dropbox-api-arg']).toContain(mode);
  });

  it.each([
    ['upload_file', { ...p, content: 'x' }, '409: {".tag":"path","reason":{".tag":"conflict"}}'],
    ['read_file', { path: '/fehlt' }, '409: {".tag":"path","path":{".tag":"not_found"}}'],
    ['get_metadata', { path: 'plan.pdf' }, 'begins with / or id:'],
    ['upload_file', { path: '/x' }, 'Give exactly one of content, contentBase64 and file'],
  ])('refuse in the words of Dropbox: dropbox_%s %j', async (tool, args, message) => {
    await expect(use(tool, args)).rejects.toThrow(message);
  });
});
