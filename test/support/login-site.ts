// A site to sign in to, with all elements that sign-in pages use. It records what reached it.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';
import { handOver, pagesOf, signedIn } from './login-site-pages.ts';

export const SITE_USER = 'ana';
export const SITE_PASSWORD = 'pässwörd & 1';
export const SITE_CODE = '314159';

export interface LoginSite {
  /** The origin of the site. */
  url: string;
  /** The same server under the name of another site. */
  other: string;
  port: number;
  /** The reports of the pages and the submitted forms so far, as JSON. */
  reports: string[];
  /** The requested paths. */
  hits: string[];
  /** Resolves when a report equals this text. */
  reported(text: string): Promise<void>;
  /** Lets every open page `/waits` go on to `/select`. */
  release(): void;
  close(): Promise<void>;
}

export async function startLoginSite(): Promise<LoginSite> {
  const server = await startHttpServer();
  const url = `http://127.0.0.1:${server.port}`;
  const other = `http://localhost:${server.port}`;
  const pages = pagesOf(other);
  const sessions = new Map<string, 'password' | 'signed in'>();
  const reports: string[] = [];
  const hits: string[] = [];
  const waiting = new Set<() => void>();
  const held: ServerResponse[] = [];

  function report(text: string): void {
    reports.push(text);
    for (const look of waiting) look();
  }

  function begin(response: ServerResponse, stage: 'password' | 'signed in'): void {
    const id = randomUUID();
    sessions.set(id, stage);
    response.setHeader('Set-Cookie', [
      `site_session=${id}; Path=/; HttpOnly; SameSite=Lax`,
      'seen=1; Path=/; Max-Age=86400',
    ]);
  }

  const stageOf = ({ headers }: IncomingMessage) =>
    sessions.get(/site_session=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? '');

  const forms: Record<
    string,
    (fields: URLSearchParams, request: IncomingMessage, response: ServerResponse) => void
  > = {
    '/login'(fields, _request, response) {
      report(JSON.stringify(Object.fromEntries(fields)));
      const right = fields.get('username') === SITE_USER && fields.get('password') === SITE_PASSWORD;
      if (right) begin(response, 'password');
      redirect(response, right ? '/code' : '/login');
    },
    '/ci/login'(fields, _request, response) {
      const right = fields.get('username') === SITE_USER && fields.get('password') === SITE_PASSWORD;
      if (right) begin(response, 'signed in');
      redirect(response, right ? '/ci/' : '/ci/login');
    },
    '/code'(fields, request, response) {
      report(JSON.stringify(Object.fromEntries(fields)));
      const right = fields.get('code') === SITE_CODE && stageOf(request) !== undefined;
      if (right) begin(response, 'signed in');
      redirect(response, right ? '/account' : '/code');
    },
    '/sso/allow'(_fields, _request, response) {
      redirect(response, `${url}/sso/done`);
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url);
    hits.push(pathname);
    if (request.method === 'POST') {
      const body = await textOf(request);
      if (pathname === '/report') report(body);
      const form = Object.hasOwn(forms, pathname) ? forms[pathname] : undefined;
      if (form === undefined) response.end();
      else form(new URLSearchParams(body), request, response);
    } else if (pathname === '/ci/whoAmI/api/json') {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ name: stageOf(request) === 'signed in' ? SITE_USER : 'anonymous' }));
    } else if (pathname === '/wait') {
      held.push(response);
    } else if (pathname === '/file.zip') {
      response.setHeader('Content-Disposition', 'attachment; filename="file.zip"');
      response.end('PK');
    } else if (pathname === '/sso/done') {
      begin(response, 'signed in');
      html(response, handOver(url));
    } else if (pathname === '/account') {
      if (stageOf(request) === 'signed in') html(response, signedIn(SITE_USER));
      else redirect(response, '/login');
    } else {
      const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
      response.statusCode = page === undefined ? 404 : 200;
      html(response, page ?? 'Not here');
    }
  }

  server.answer((request, response) => void answer(request, response));
  return {
    url,
    other,
    port: server.port,
    reports,
    hits,
    reported: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!reports.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    release() {
      for (const response of held.splice(0)) response.end();
    },
    close: () => server.close(),
  };
}

function html(response: ServerResponse, body: string): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(body);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location }).end();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
