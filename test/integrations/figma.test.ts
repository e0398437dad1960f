// Tests Figma from the sign-in on, against a fake Figma after the docs of its REST API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, CLIENT, connectTo, type OAuthApi, startOAuthApi } from '../support/fake-oauth-api.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const DAY = 24 * 3600;

let figma: OAuthApi;
let pictures: HttpServer;
/** The headers of the requests for pictures. */
let fetched: (string | undefined)[] = [];
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  pictures = await startHttpServer((request, response) => {
    fetched.push(request.headers.authorization);
    const isThere = request.url === '/1-2?signature=x';
    response.writeHead(isThere ? 200 : 403, { 'content-type': isThere ? 'image/png' : 'application/xml' });
    response.end(isThere ? Buffer.from(PNG, 'base64') : '<Error><Code>AccessDenied</Code></Error>');
  });
  const rules = {
    tokenPath: '/v1/oauth/token',
    refreshPath: '/v1/oauth/refresh',
    body: 'form',
    rotates: false,
    expiresIn: 90 * DAY,
  } as const;
  figma = await startOAuthApi(rules, answer);
  app = await createTestApp({
    env: {
      FIGMA_CLIENT_ID: CLIENT.id,
      FIGMA_CLIENT_SECRET: CLIENT.secret,
      UPSTREAM_MAP: `https://api.figma.com=${figma.url}`,
    },
  });
  ana = await createPerson(app);
});
afterAll(async () => {
  await app?.close();
  await figma?.close();
  await pictures?.close();
});

const comments: object[] = [];

function answer({ method, path, query, body }: ApiCall): Response {
  switch (`${method} ${path}`) {
    case 'GET /v1/me':
      return Response.json({ id: '1', handle: 'Ana Müller', email: 'ana@example.com' });
    case 'GET /v1/images/file':
      return Response.json({
        err: null,
        images: Object.fromEntries((query['ids'] ?? '').split(',').map(pictureOf)),
      });
    case 'POST /v1/files/file/comments':
      comments.push(Object(body));
      return Response.json(body);
    case 'GET /v1/files/file/comments':
      return Response.json({ comments });
    default:
      return Response.json({ status: 404, err: 'Not found' }, { status: 404 });
  }
}

function pictureOf(id: string): [string, string | null] {
  const at = `http://127.0.0.1:${pictures.port}`;
  return [id, id === '9:9' ? null : `${at}/${id.replace(':', '-')}?signature=x`];
}

describe('connecting to Figma', () => {
  it('asks for comma-separated scopes, and ends in the portal', async () => {
    const { authorize, end } = await connectTo(figma, { app, person: ana, integration: 'figma' });
    expect(`${authorize.origin}${authorize.pathname}`).toBe('https://www.figma.com/oauth');
    expect(authorize.searchParams.get('scope')).toBe(
      'current_user:read,file_content:read,file_comments:read,file_comments:write,file_versions:read,projects:read,library_content:read',
    );
    expect(end).toBe('http://localhost:3000#connected=figma');
    expect(await ana.run('figma_whoami')).toMatchObject({ handle: 'Ana Müller' });
  });
});

describe('a Figma file', () => {
  it('takes a comment', async () => {
    const comment = { message: 'Schöner geht’s nicht 🌱', client_meta: { node_id: '1:2' } };
    const { message, client_meta: clientMeta } = comment;
    await ana.run('figma_add_comment', { fileKey: 'file', message, clientMeta });
    expect(await ana.run('figma_list_comments', { fileKey: 'file' })).toEqual({ comments: [comment] });
  });

  it("passes on Figma's own error for a missing file", async () => {
    await expect(ana.run('figma_get_file', { fileKey: 'gone' })).rejects.toThrow('404: Not found');
  });
});

describe('rendered pictures', () => {
  const file = { fileKey: 'file' };

  it('are returned as addresses', async () => {
    expect(await ana.run('figma_render_images', { ...file, ids: '1:2,9:9' })).toEqual({
      err: null,
      images: { '1:2': expect.stringContaining('/1-2?'), '9:9': null },
    });
  });

  it('are returned as images on request, fetched without the token', async () => {
    fetched = [];
    const args = { ...file, ids: '1:2', asImage: true };
    expect(await ana.show('figma_render_images', args)).toEqual([
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ]);
    expect(fetched).toEqual([undefined]);
  });

  it.each([
    [{ ids: '1:2,1:3' }, 'one at a time'],
    [{ ids: '1:2', format: 'pdf' }, 'as png or jpg'],
    [{ ids: '9:9' }, 'Figma could not render 9:9'],
    [{ ids: '1:3' }, '403: '],
  ])('are not returned as images with %j', async (args, why) => {
    await expect(ana.run('figma_render_images', { ...file, ...args, asImage: true })).rejects.toThrow(why);
  });
});

describe("Figma's tokens", () => {
  it("are refreshed at Figma's refresh address, with the refresh token that stays", async () => {
    for (const _ of [1, 2]) {
      app.clock.advance(90 * DAY);
      expect(await ana.run('figma_whoami')).toMatchObject({ handle: 'Ana Müller' });
    }
    expect(figma.grants).toEqual([
      { path: '/v1/oauth/token', type: 'authorization_code', status: 200 },
      { path: '/v1/oauth/refresh', type: 'refresh_token', status: 200 },
      { path: '/v1/oauth/refresh', type: 'refresh_token', status: 200 },
    ]);
  });
});
