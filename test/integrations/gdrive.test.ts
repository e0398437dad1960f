// Tests Google Drive: one line per tool, its emulator end to end, and the features that the emulator lacks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gdrive } from '../../integrations/gdrive/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { run, sent } from '../support/capture.ts';
import { connectAt } from '../support/emulators.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { downloadFile, fileIn } from '../support/files.ts';
import { ANA, type GoogleEmulator, startGoogle } from '../support/google-emulator.ts';
import { call, callText } from '../support/mcp.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452ff0d0a', 'hex');
const LONG = 'Zeile "eins" – 大小 😀\n'.repeat(190_000);
const ALL = 'supportsAllDrives=true';
const SHOWN = 'id,name,mimeType,modifiedTime,size,webViewLink,parents';
const LISTED = `fields=nextPageToken,files(${SHOWN})`;
const SHARED = 'nextPageToken,permissions(id,type,role,emailAddress,domain,displayName)';
const f = { fileId: 'f1' };

const TABLE: [tool: string, args: object, request: string][] = [
  ['whoami', {}, 'GET /about?fields=user,storageQuota'],
  ['list_files', {}, `GET /files?pageSize=20&${LISTED}&includeItemsFromAllDrives=true&${ALL}`],
  [
    'list_files',
    {
      query: "name contains 'Größe'",
      orderBy: 'name',
      corpora: 'drive',
      driveId: 'd1',
      fields: '*',
      pageToken: 'p2',
    },
    `GET /files?q=name contains 'Größe'&pageSize=20&pageToken=p2&orderBy=name&fields=*&corpora=drive&driveId=d1&includeItemsFromAllDrives=true&${ALL}`,
  ],
  ['get_file', { ...f, fields: 'id,size' }, `GET /files/f1?fields=id,size&${ALL}`],
  ['get_file', f, `GET /files/f1?fields=${SHOWN}&${ALL}`],
  ['get_file', { ...f, supportsAllDrives: false }, `GET /files/f1?fields=${SHOWN}&supportsAllDrives=false`],
  ['export_file', { ...f, mimeType: 'application/pdf' }, 'GET /files/f1/export?mimeType=application/pdf'],
  [
    'create_folder',
    { name: 'Büro', parents: ['p'] },
    `POST /files?${ALL} {"name":"Büro","parents":["p"],"mimeType":"application/vnd.google-apps.folder"}`,
  ],
  ['copy_file', { ...f, name: 'Kopie' }, `POST /files/f1/copy?${ALL} {"name":"Kopie"}`],
  [
    'update_file',
    { ...f, name: 'neu', trashed: false, addParents: 'a', removeParents: 'b' },
    `PATCH /files/f1?${ALL}?addParents=a&removeParents=b {"name":"neu","trashed":false}`,
  ],
  ['delete_file', f, `DELETE /files/f1?${ALL}`],
  ['list_permissions', f, `GET /files/f1/permissions?fields=${SHARED}&${ALL}`],
  [
    'list_permissions',
    { ...f, fields: '*', pageToken: 'p2' },
    `GET /files/f1/permissions?fields=*&${ALL}&pageToken=p2`,
  ],
  [
    'share_file',
    { ...f, role: 'reader', type: 'user', emailAddress: 'b@example.com', sendNotificationEmail: false },
    `POST /files/f1/permissions?${ALL}?sendNotificationEmail=false {"role":"reader","type":"user","emailAddress":"b@example.com"}`,
  ],
  [
    'share_file',
    { ...f, role: 'reader', type: 'domain', domain: 'example.com' },
    `POST /files/f1/permissions?${ALL} {"role":"reader","type":"domain","domain":"example.com"}`,
  ],
  ['list_comments', { ...f, pageToken: 'p2' }, 'GET /files/f1/comments?fields=*&pageSize=20&pageToken=p2'],
  ['create_comment', { ...f, content: 'Schön' }, 'POST /files/f1/comments?fields=* {"content":"Schön"}'],
  ['list_drives', { query: 'x', pageToken: 'p2' }, 'GET /drives?pageSize=20&pageToken=p2&q=x'],
];

describe('the requests of Google Drive', () => {
  it.each(TABLE)('gdrive_%s %j', async (name, args, request) => {
    expect(await sent(gdrive, `gdrive_${name}`, args)).toEqual([request]);
  });

  it('names every tool, with the two that are more than one request', () => {
    expect(new Set([...TABLE.map(([name]) => name), 'read_file', 'upload_file'])).toEqual(
      new Set(gdrive.tools.map(({ name }) => name.replace('gdrive_', ''))),
    );
  });
});

describe('a Drive at the Google emulator', () => {
  let google: GoogleEmulator;
  let app: TestApp;
  let ana: Person;

  beforeAll(async () => {
    const long = { id: 'long', user_email: ANA, name: 'Länge.txt', mime_type: 'text/plain', data: LONG };
    google = await startGoogle(['gdrive'], { drive_items: [long] });
    app = await createTestApp({ env: google.env });
    ana = await createPerson(app);
    const end = await connectAt(google, { app, person: ana, integration: 'gdrive', login: ANA });
    expect(end).toBe('http://localhost:3000#connected=gdrive');
  });
  afterAll(async () => {
    await app?.close();
    await google?.close();
  });
  const use = async (tool: string, args: object = {}) => Object(await ana.run(`gdrive_${tool}`, args));

  it('creates a folder, and a text that reads back unchanged', async () => {
    const folder = await use('create_folder', { name: 'Büro' });
    expect(folder).toMatchObject({ name: 'Büro', mimeType: 'application/vnd.google-apps.folder' });
    const content = 'Schöne Grüße\r\n--=_a_file\r\n大小 😀\n\n';
    const { id } = await use('upload_file', { name: 'Größe.txt', content, parents: [folder.id] });
    expect(google.requests.at(-1)?.path).toMatch(/^\/upload\/drive\/v3\/files\?uploadType=multipart&/);
    expect(await use('read_file', { fileId: id })).toEqual({
      name: 'Größe.txt',
      mimeType: 'text/plain',
      encoding: 'text',
      content,
      truncated: false,
    });
    expect(await use('list_files', { query: `'${folder.id}' in parents` })).toMatchObject({
      files: [{ id, name: 'Größe.txt', size: String(Buffer.byteLength(content)) }],
    });
  });

  it('continues with a new token, and keeps bytes unchanged as a file, whatever part was asked for', async () => {
    const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * 7) % 256));
    const contentBase64 = bytes.toString('base64');
    app.clock.advance(3600);
    const { id, mimeType } = await use('upload_file', { name: 'a.bin', contentBase64 });
    expect(google.requests.slice(-2).map(({ path }) => path.split('?')[0])).toEqual([
      '/token',
      '/upload/drive/v3/files',
    ]);
    expect(mimeType).toBe('application/octet-stream');
    for (const args of [{}, { maxBytes: 3 }]) {
      const read = await use('read_file', { fileId: id, ...args });
      expect(fileIn(read)).toMatchObject({ name: 'a.bin', bytes: 40_000 });
      expect((await downloadFile(app, read)).equals(bytes)).toBe(true);
    }
  });

  it('uploads a kept file, which never passes through a model', async () => {
    const kept = fileIn(await ana.run('upload_file', { name: 'Größe.csv', content: 'a,ü' }));
    const { id } = await use('upload_file', { file: `file:${kept.handle}` });
    expect(await use('read_file', { fileId: id })).toMatchObject({
      name: 'Größe.csv',
      mimeType: 'text/csv',
      content: 'a,ü',
    });
    const again = await use('read_file', { fileId: id, asFile: true });
    expect((await downloadFile(app, again)).toString()).toBe('a,ü');
  });

  it('reads a file of 5 MB in pages, with the handle from the notice of the cut', async () => {
    expect(Buffer.byteLength(LONG)).toBeGreaterThan(5 * 1024 * 1024);
    const user = await app.user('second@example.com');
    const accessToken = google.requests.at(-1)?.authorization?.replace('Bearer ', '') ?? '';
    await app.deps.vault.save(user.id, 'gdrive', { accessToken });
    const executions = [{ tool: 'gdrive_read_file', args: { fileId: 'long' } }];
    const cut = await callText(app, user.keyHeader, 'execute_tools', { executions });
    const handle = /read_result \{"handle":"([^"]+)"\}/.exec(cut)?.[1];
    const path = '/results/0/result/content';
    const read = (offset: number) => call(app, user.keyHeader, 'read_result', { handle, path, offset });
    const first = await read(0);
    expect(first.total).toBe(LONG.length);
    const second = await read(first.nextOffset);
    const last = await read(LONG.length - 1_000);
    expect(last).not.toHaveProperty('nextOffset');
    expect(first.value + second.value === LONG.slice(0, second.nextOffset)).toBe(true);
    expect(last.value === LONG.slice(-1_000)).toBe(true);
  });

  it('returns an image as an image block', async () => {
    const image = { name: 'Bild.png', mimeType: 'image/png', contentBase64: PNG.toString('base64') };
    const { id } = await use('upload_file', image);
    expect(await ana.show('gdrive_read_file', { fileId: id })).toEqual([
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
    ]);
  });

  it("renames and moves a file, and passes on Google's own errors", async () => {
    const { id, parents } = await use('upload_file', { name: 'alt', content: '' });
    const { id: folder } = await use('create_folder', { name: 'Ziel' });
    expect(
      await use('update_file', { fileId: id, name: 'neu', addParents: folder, removeParents: parents[0] }),
    ).toMatchObject({ name: 'neu', parents: [folder] });
    expect(await use('read_file', { fileId: id, maxBytes: 5 })).toMatchObject({
      content: '',
      truncated: false,
    });
    await expect(use('get_file', { fileId: 'none' })).rejects.toThrow('Requested entity was not found.');
    const first = await use('list_files', { pageSize: 1 });
    const second = await use('list_files', { pageSize: 1, pageToken: first.nextPageToken });
    expect(second.files[0].id).not.toBe(first.files[0].id);
  });
});

describe('features that the emulator lacks', () => {
  /** Returns the responses one after the other, and records the requests. */
  async function use(tool: string, args: object, answers: readonly Response[]) {
    const calls: UpstreamCall[] = [];
    const left = [...answers];
    const upstream = async (call: UpstreamCall) => {
      calls.push(call);
      return left.shift() ?? Response.json({});
    };
    const context = {
      userId: 'u',
      clock: createFakeClock(),
      files: createMemoryFiles(),
      upstream,
      fetch: () => Promise.reject(new Error()),
    };
    const result = await run(gdrive, `gdrive_${tool}`, args, context);
    return { result, lines: calls.map(({ path, query }) => `${path}?${query}`), calls };
  }
  const about = (mimeType: string, size?: string) => Response.json({ name: 'n', mimeType, size });

  it.each([
    ['document', 'text/markdown', '# Größe'],
    ['spreadsheet', 'text/csv', 'a,ü'],
    ['presentation', 'text/plain', 'Folie'],
  ])('reads a Google %s as %s', async (kind, mimeType, content) => {
    const answers = [about(`application/vnd.google-apps.${kind}`), new Response(content)];
    const { result, lines } = await use('read_file', f, answers);
    expect(result).toEqual({ name: 'n', mimeType, encoding: 'text', content, truncated: false });
    expect(lines[1]).toBe(`/files/f1/export?mimeType=${encodeURIComponent(mimeType)}`);
  });

  it('returns a drawing as an image', async () => {
    const answers = [about('application/vnd.google-apps.drawing'), new Response(PNG)];
    const { result } = await use('read_file', f, answers);
    expect(result).toEqual({
      name: 'n',
      mimeType: 'image/png',
      _mcpImage: { data: PNG.toString('base64'), mimeType: 'image/png' },
    });
  });

  it("reads a shortcut's target, because Drive returns no content for a shortcut", async () => {
    const shortcut = Response.json({
      name: 'n',
      mimeType: 'application/vnd.google-apps.shortcut',
      shortcutDetails: { targetId: 't1' },
    });
    const answers = [shortcut, about('text/plain', '5'), new Response('Größe')];
    const { result, calls } = await use('read_file', f, answers);
    expect(result).toMatchObject({ mimeType: 'text/plain', content: 'Größe' });
    expect(calls.map(({ path }) => path)).toEqual(['/files/f1', '/files/t1', '/files/t1']);
  });

  it('requests only the beginning of a large file, and never splits a letter', async () => {
    const answers = [about('text/plain', '9000'), new Response('aüü'.slice(0, 3), { status: 206 })];
    const { result, calls } = await use('read_file', { ...f, maxBytes: 4 }, answers);
    expect(calls[1]?.headers).toEqual({ range: 'bytes=0-4' });
    expect(result).toMatchObject({ content: 'aü', truncated: true });
  });

  it('exports in another format, and passes on why an export fails', async () => {
    const pdf = Buffer.from('%PDF-\xff', 'latin1');
    const { result } = await use('export_file', { ...f, mimeType: 'application/pdf' }, [new Response(pdf)]);
    expect(result).toEqual({
      mimeType: 'application/pdf',
      file: expect.objectContaining({ name: 'f1', mimeType: 'application/pdf', bytes: pdf.length }),
    });
    const refused = Response.json(
      { error: { message: 'This file is too large to be exported.' } },
      { status: 403 },
    );
    await expect(use('export_file', { ...f, mimeType: 'text/csv' }, [refused])).rejects.toThrow(
      'too large to be exported',
    );
  });

  const sentOf = (body: unknown) => /\r\n\r\n(.*)\r\n--=_a_file\r\ncontent-type: (.*)\r\n/.exec(String(body));

  it.each([
    ['text/csv', 'text/csv'],
    ['image/png', 'image/png'],
    ['application/vnd.google-apps.document', 'text/markdown'],
    ['application/vnd.google-apps.spreadsheet', 'text/csv'],
  ])('replaces the content of a file, which stays a %s', async (mimeType, type) => {
    const { lines, calls } = await use('upload_file', { ...f, content: 'neu' }, [about(mimeType)]);
    const fields = 'name,mimeType,size,shortcutDetails(targetId)';
    expect(lines[0]).toBe(`/files/f1?${new URLSearchParams({ fields })}&${ALL}`);
    expect(calls[1]).toMatchObject({ method: 'PATCH', path: '/files/f1', at: 'upload' });
    expect(Buffer.from(calls[1]?.body ?? '').toString()).toBe(
      `--=_a_file\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n{"mimeType":"${mimeType}"}\r\n--=_a_file\r\ncontent-type: ${type}\r\n\r\nneu\r\n--=_a_file--\r\n`,
    );
  });

  it.each([
    [{ ...f, content: 'a', mimeType: 'text/html' }, '{"mimeType":"text/html"}', 'text/html'],
    [{ name: 'a', content: 'a' }, '{"name":"a","mimeType":"text/plain"}', 'text/plain'],
    [
      { name: 'a', content: '# A', mimeType: 'application/vnd.google-apps.document' },
      '{"name":"a","mimeType":"application/vnd.google-apps.document"}',
      'text/markdown',
    ],
  ])('sends the upload for %j', async (args, metadata, type) => {
    const { calls } = await use('upload_file', args, []);
    expect(sentOf(Buffer.from(calls[0]?.body ?? ''))?.slice(1)).toEqual([metadata, type]);
  });

  it.each([
    [{ name: 'a' }, 'exactly one of content'],
    [{ name: 'a', content: '', contentBase64: 'YQ==' }, 'exactly one of content'],
    [{ content: 'a' }, 'needs a name'],
    [{ ...f, content: 'a', parents: ['p'] }, 'gdrive_update_file moves'],
    [{ name: 'a', content: '', mimeType: 'a/b\r\nx: y' }, 'one line'],
  ])('uploads nothing for %j', async (args, message) => {
    await expect(use('upload_file', args, [])).rejects.toThrow(message);
  });
});
