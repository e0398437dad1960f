// A fake Atlassian: one sign-in for Jira and Confluence, sites by id, and refresh tokens that work once.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

export interface FakeAtlassian {
  url: string;
  /** The sites of a grant, with one entry for each product. */
  sites: { id: string; name: string; url: string; scopes: string[] }[];
  /** Records a person's consent and returns the code for the next exchange. */
  consent(): string;
  tokenRequests: Record<string, string>[];
  /** The method, path and body of each API call. */
  calls: { method: string; path: string; body: unknown }[];
  issues: Map<string, { key: string; fields: Record<string, unknown>; files: Map<string, File> }>;
  pages: Map<string, { id: string; title: string; storage: string; version: number }>;
  close(): Promise<void>;
}

interface Call {
  method: string;
  /** The path below the site. */
  path: string;
  query: URLSearchParams;
  body: unknown;
  form: FormData | null;
}

type Answer = [status: number, payload: unknown];
const NOTHING: Answer = [204, null];

export async function startAtlassian(): Promise<FakeAtlassian> {
  const server = await startHttpServer();
  const codes = new Set<string>();
  let refreshToken = '';
  let accessToken = '';
  let drawn = 0;
  const draw = (kind: string) => `${kind}-${++drawn}`;
  const fake: FakeAtlassian = {
    url: `http://127.0.0.1:${server.port}`,
    sites: [
      { id: 'cloud-w', name: 'acme', url: 'https://acme.atlassian.net', scopes: ['read:page:confluence'] },
      { id: 'cloud-a', name: 'acme', url: 'https://acme.atlassian.net', scopes: ['read:jira-work'] },
      { id: 'cloud-b', name: 'other', url: `http://127.0.0.1:${server.port}`, scopes: ['read:jira-work'] },
    ],
    consent() {
      const code = draw('code');
      codes.add(code);
      return code;
    },
    tokenRequests: [],
    calls: [],
    issues: new Map(),
    pages: new Map(),
    close: () => server.close(),
  };

  function token(request: Record<string, string>): Answer {
    fake.tokenRequests.push(request);
    if (request['client_id'] !== 'id' || request['client_secret'] !== 'secret')
      return [401, { error: 'access_denied', error_description: 'Unauthorized' }];
    const isGood =
      request['grant_type'] === 'authorization_code'
        ? codes.delete(request['code'] ?? '')
        : request['refresh_token'] === refreshToken;
    if (!isGood)
      return [403, { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' }];
    accessToken = draw('access');
    refreshToken = draw('refresh');
    return [
      200,
      {
        access_token: accessToken,
        refresh_token: refreshToken,
        expires_in: 3600,
        token_type: 'Bearer',
        scope: 'granted',
      },
    ];
  }

  function jira({ method, path, body, form }: Call): Answer {
    if (path === '/rest/api/3/myself') return [200, { accountId: '5b10', displayName: 'Ana' }];
    const file = /^\/rest\/api\/3\/attachment\/content\/(.+)$/.exec(path)?.[1];
    if (file !== undefined) {
      const found = [...fake.issues.values()].flatMap(({ files }) => files.get(file) ?? [])[0];
      return found === undefined ? [404, { errorMessages: ['The attachment does not exist'] }] : [200, found];
    }
    if (method === 'POST' && path === '/rest/api/3/issue') {
      const { fields } = body as { fields: Record<string, unknown> };
      if (fields['description'] !== undefined && !isDocument(fields['description']))
        return [
          400,
          { errorMessages: [], errors: { description: 'Operation value must be an Atlassian Document' } },
        ];
      const key = `WEB-${fake.issues.size + 1}`;
      fake.issues.set(key, { key, fields, files: new Map() });
      return [201, { id: key, key }];
    }
    const [, key = '', rest] = /^\/rest\/api\/3\/issue\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const issue = fake.issues.get(key);
    if (issue === undefined) return [404, { errorMessages: ['Issue does not exist'], errors: {} }];
    if (rest === undefined)
      return [200, { key, fields: { ...issue.fields, attachment: listOf(issue.files) } }];
    const sent = form?.get('file');
    if (rest !== '/attachments' || !(sent instanceof File)) return [404, {}];
    issue.files.set(draw('1000'), sent);
    return [200, listOf(issue.files)];
  }

  function confluence({ method, path, query, body }: Call): Answer {
    if (path === '/wiki/rest/api/user/current') return [200, { accountId: '5b10', displayName: 'Ana' }];
    if (path === '/wiki/rest/api/search')
      return [
        200,
        { results: Array.from({ length: 5_000 }, (_, at) => ({ at, excerpt: 'größe '.repeat(170) })) },
      ];
    const written = body as {
      title: string;
      body: { representation: string; value: string };
      version?: { number: number };
    };
    if (method === 'POST' && path === '/wiki/api/v2/pages') {
      const id = draw('9');
      fake.pages.set(id, { id, title: written.title, storage: storageOf(written.body), version: 1 });
      return [200, { id, title: written.title, version: { number: 1 } }];
    }
    const page = fake.pages.get(/^\/wiki\/api\/v2\/pages\/([^/]+)$/.exec(path)?.[1] ?? '');
    if (page === undefined)
      return [404, { errors: [{ status: 404, code: 'NOT_FOUND', title: 'Not Found' }] }];
    if (method === 'DELETE') return (fake.pages.delete(page.id), NOTHING);
    if (method === 'PUT') {
      if (written.version?.number !== page.version + 1)
        return [409, { errors: [{ status: 409, code: 'CONFLICT', title: 'Version must be incremented' }] }];
      Object.assign(page, {
        title: written.title,
        storage: storageOf(written.body),
        version: page.version + 1,
      });
    }
    const { storage, version, ...others } = page;
    const shown = query.get('body-format') === 'storage' ? { storage: { value: storage } } : {};
    return [200, { ...others, version: { number: version }, body: shown }];
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', fake.url);
    const type = request.headers['content-type'] ?? '';
    const isForm = type.startsWith('multipart/');
    const form = isForm ? await new Response(bytes, { headers: { 'content-type': type } }).formData() : null;
    const body: unknown = form !== null || bytes.length === 0 ? null : JSON.parse(bytes.toString());
    const method = request.method ?? '';
    const answer = () => {
      if (url.pathname === '/oauth/token') return token(body as Record<string, string>);
      if (request.headers.authorization !== `Bearer ${accessToken}`)
        return [401, { code: 401, message: 'Unauthorized' }] as Answer;
      if (url.pathname === '/oauth/token/accessible-resources') return [200, fake.sites] as Answer;
      const [, product, path = ''] =
        /^\/ex\/(jira\/cloud-[ab]|confluence\/cloud-w)(\/.*)$/.exec(url.pathname) ?? [];
      fake.calls.push({ method, path: url.pathname, body });
      if (form !== null && request.headers['x-atlassian-token'] !== 'no-check')
        return [403, { message: 'XSRF check failed' }] as Answer;
      const call = { method, path: decodeURIComponent(path), query: url.searchParams, body, form };
      if (product === undefined) return [404, { message: 'No such site' }] as Answer;
      return product.startsWith('jira') ? jira(call) : confluence(call);
    };
    const [status, payload] = answer();
    const isFile = payload instanceof File;
    response.writeHead(status, { 'content-type': isFile ? payload.type : 'application/json' });
    response.end(
      isFile ? Buffer.from(await payload.arrayBuffer()) : payload === null ? '' : JSON.stringify(payload),
    );
  }

  server.answer((request, response) => void respond(request, response));
  return fake;
}

function isDocument(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'doc';
}

function listOf(files: ReadonlyMap<string, File>) {
  return [...files].map(([id, { name, size, type }]) => ({ id, filename: name, size, mimeType: type }));
}

interface AdfNode {
  type: string;
  text?: string;
  content?: AdfNode[];
}

/** Converts a document as Confluence stores it: XHTML with named entities for umlauts. */
function storageOf({ representation, value }: { representation: string; value: string }): string {
  if (representation === 'storage') return value;
  const render = ({ type, text = '', content = [] }: AdfNode): string => {
    const inner = content.map(render).join('');
    if (type === 'text')
      return text.replaceAll('&', '&amp;').replaceAll('ü', '&uuml;').replaceAll('ß', '&szlig;');
    if (type === 'heading') return `<h2>${inner}</h2>`;
    return type === 'paragraph' ? `<p>${inner}</p>` : inner;
  };
  return render(JSON.parse(value));
}
