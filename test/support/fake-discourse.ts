// A fake Discourse: sessions with a sign-in cookie that is renewed, CSRF tokens per session, topics and
// posts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

export interface FakeDiscourse {
  url: string;
  /** The cookies of a signed-in browser. */
  cookies: { name: string; value: string; domain: string; path: string }[];
  /** The valid sign-in cookie, which changes after each `renew`. */
  token: string;
  /** Whether the next response sets a new sign-in cookie. */
  renew: boolean;
  /** Whether a gateway before the forum answers every request with its sign-in page. */
  gate: boolean;
  posts: Map<number, { id: number; raw: string; topic_id: number }>;
  /** The method and path of each request. */
  requests: string[];
  close(): Promise<void>;
}

const csrfOf = (session: string) => `csrf-of-${session}`;

export async function startDiscourse(): Promise<FakeDiscourse> {
  const server = await startHttpServer();
  let sessions = 0;
  const fake: FakeDiscourse = {
    url: `http://127.0.0.1:${server.port}`,
    cookies: [{ name: '_t', value: 'first', domain: '127.0.0.1', path: '/' }],
    token: 'first',
    renew: false,
    gate: false,
    posts: new Map(),
    requests: [],
    close: () => server.close(),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { pathname } = new URL(request.url ?? '/', fake.url);
    fake.requests.push(`${request.method} ${pathname}`);
    const answer = (status: number, payload: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(payload));
    if (fake.gate)
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    const cookies = new Map(
      (request.headers.cookie ?? '').split('; ').map((pair) => [pair.split('=')[0], pair.split('=')[1]]),
    );
    const known = cookies.get('_t') === fake.token;
    if (known && fake.renew) {
      fake.token = `${fake.token}-renewed`;
      fake.renew = false;
      response.appendHeader('set-cookie', `_t=${fake.token}; path=/; HttpOnly; SameSite=Lax`);
    }
    if (!known && request.headers['discourse-logged-in'] !== undefined)
      response.setHeader('discourse-logged-out', '1');
    const session = cookies.get('_forum_session') ?? `session-${++sessions}`;
    if (!cookies.has('_forum_session'))
      response.appendHeader('set-cookie', `_forum_session=${session}; path=/; HttpOnly; SameSite=Lax`);
    if (pathname === '/session/csrf.json') return void answer(200, { csrf: csrfOf(session) });
    if (pathname === '/session/current.json')
      return void (known ? answer(200, { current_user: { id: 5, username: 'ana' } }) : answer(404, {}));
    const refused = { errors: ['You need to be logged in to do that.'], error_type: 'not_logged_in' };
    if (request.method !== 'GET') {
      if (request.headers['x-csrf-token'] !== csrfOf(session)) return void answer(403, ['BAD CSRF']);
      if (!known) return void answer(403, refused);
    }
    answer(...answerTo(request.method ?? '', pathname, body));
  }

  function answerTo(method: string, path: string, body: string): [status: number, payload: unknown] {
    if (method === 'POST' && path === '/posts.json') {
      const { raw, topic_id } = JSON.parse(body);
      if (raw.length < 5) return [422, { errors: ['Post is too short (minimum is 5 characters)'] }];
      const post = { id: fake.posts.size + 1, raw, topic_id: topic_id ?? 7 };
      fake.posts.set(post.id, post);
      return [200, post];
    }
    const post = fake.posts.get(Number(/^\/posts\/(\d+)\.json$/.exec(path)?.[1]));
    if (post === undefined) return [404, { errors: ['The requested URL or resource could not be found.'] }];
    if (method === 'PUT') post.raw = JSON.parse(body).post.raw;
    return [200, method === 'PUT' ? { post } : post];
  }

  server.answer((request, response) => void respond(request, response));
  return fake;
}
