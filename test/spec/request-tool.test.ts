// Tests `<integration>_request` and the responses it returns. decision: 034
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloadFile, fileIn } from '../support/files.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const ZIP = Buffer.from('504b0304ff00fe80c3', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452ff0d0a', 'hex');
const ANSWERS: Record<string, [status: number, type: string, body: string | Buffer]> = {
  '/json': [200, 'application/json', '{"name":"Größe"}'],
  '/vendor': [200, 'application/vnd.api+json; charset=utf-8', '[1]'],
  '/large': [
    200,
    'application/json',
    '{"id":8123456789012345678,"safe":9007199254740991,"all":[-9007199254740993, 1e30,0.1234567890123456]}',
  ],
  '/csv': [200, 'text/csv', 'a,ü\n'],
  '/latin': [200, 'text/plain; charset=latin1', Buffer.from('a\xfc', 'latin1')],
  '/xml': [200, 'application/xml', '<a>ü</a>'],
  '/none': [204, '', ''],
  '/empty': [202, 'application/octet-stream', ''],
  '/zip': [200, 'application/zip', ZIP],
  '/png': [200, 'image/png', PNG],
  '/a%2Fb?q=a%20b': [200, 'text/plain', 'encoded'],
  '/refused': [404, 'application/zip', 'no such artifact'],
};

describe('<integration>_request', () => {
  let asked = 0;
  let server: HttpServer;
  let app: TestApp;
  let ana: Person;
  const request = (path: string) => ana.run('posthog_request', { path });

  beforeAll(async () => {
    server = await startHttpServer(({ url = '' }, response) => {
      asked++;
      const [status, type, body] = ANSWERS[url] ?? [500, '', ''];
      response.writeHead(status, type === '' ? {} : { 'content-type': type }).end(body);
    });
    const UPSTREAM_MAP = `https://us.posthog.com=http://127.0.0.1:${server.port}`;
    app = await createTestApp({ env: { UPSTREAM_MAP } });
    ana = await createPerson(app);
    await ana.post('/api/auth/apikey/posthog', { values: { apiKey: 'phx_one' } });
  });
  afterAll(async () => {
    await app?.close();
    await server?.close();
  });

  it.each([
    ['/json', { name: 'Größe' }],
    ['/vendor', [1]],
    [
      '/large',
      {
        id: '8123456789012345678',
        safe: 9007199254740991,
        all: ['-9007199254740993', 1e30, 0.1234567890123456],
      },
    ],
    ['/csv', 'a,ü\n'],
    ['/latin', 'a\ufffd'],
    ['/xml', '<a>ü</a>'],
    ['/none', {}],
    ['/empty', {}],
  ])('returns %s as JSON or text', async (path, result) => {
    expect(await request(path)).toEqual(result);
  });

  it('keeps bytes as a file, and shows a picture as an image', async () => {
    const zip = await request('/zip');
    expect(zip).toEqual({ mimeType: 'application/zip', file: expect.any(Object) });
    expect(fileIn(zip)).toMatchObject({ name: 'zip', mimeType: 'application/zip' });
    expect((await downloadFile(app, zip)).equals(ZIP)).toBe(true);
    expect(await ana.show('posthog_request', { path: '/png' })).toEqual([
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
    ]);
  });

  it.each([
    '/json/../x',
    '/json/%2e%2e/x',
    '/json/./x',
    '/json\\x',
    '//evil.example/json',
    '/json#x',
    '/json%0d%0aX: y',
    '/json/%zz',
    '/größe',
    '/json?q=a b',
    '/json?q=#',
  ])('refuses the path %s like the curl proxy, and sends nothing', async (path) => {
    const before = asked;
    await expect(request(path)).rejects.toThrow(/path.*must be percent-encoded/);
    expect(asked).toBe(before);
  });

  it('sends a path with an encoded slash and a query as it is', async () => {
    expect(await request('/a%2Fb?q=a%20b')).toBe('encoded');
  });

  it('says why a request was refused', async () => {
    await expect(request('/refused')).rejects.toThrow('404: no such artifact');
  });
});
