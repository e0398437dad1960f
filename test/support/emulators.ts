// Runs the emulators of `emulate`: other services' APIs in this process, offline. A front before each
// emulator records every request and may add what the emulator lacks.
import { getRequestListener } from '@hono/node-server';
import { createEmulator, type SeedConfig, type ServiceName } from 'emulate';
import { startHttpServer } from './http-server.ts';
import type { Person } from './person.ts';
import type { TestApp } from './test-app.ts';

export interface Emulator {
  url: string;
  /** Every request, in order. */
  requests: { method: string; path: string; authorization: string | null }[];
  /** Signs in as this login on the provider's page and returns the address of the redirect. */
  signIn(authorizeUrl: string, login: string): Promise<string>;
  close(): Promise<void>;
}

/** Handles a request before the emulator: responds itself or passes the request on, changed or not. */
export type Front = (request: Request, pass: (request: Request) => Promise<Response>) => Promise<Response>;

export async function startEmulator(
  service: ServiceName,
  seed: SeedConfig,
  front: Front = (request, pass) => pass(request),
): Promise<Emulator> {
  const emulator = await createEmulator({ service, port: 0, seed });
  const behind = emulator.url.replace('localhost', '127.0.0.1');
  const requests: Emulator['requests'] = [];

  /** Sends a request on to the emulator with its bytes unchanged. */
  async function pass(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
    const answer = await fetch(`${behind}${pathname}${search}`, {
      method,
      headers,
      body,
      redirect: 'manual',
    });
    const kept = new Headers(answer.headers);
    kept.delete('content-encoding');
    kept.delete('content-length');
    return new Response(answer.status === 204 ? null : await answer.arrayBuffer(), {
      status: answer.status,
      headers: kept,
    });
  }

  const listener = getRequestListener(async (request) => {
    const { pathname, search } = new URL(request.url);
    const authorization = request.headers.get('authorization');
    requests.push({ method: request.method, path: `${pathname}${search}`, authorization });
    return front(request, pass);
  });
  const server = await startHttpServer((incoming, outgoing) => void listener(incoming, outgoing));
  const url = `http://127.0.0.1:${server.port}`;

  return {
    url,
    requests,
    async signIn(authorizeUrl, login) {
      const { pathname, search } = new URL(authorizeUrl);
      const page = await (await fetch(`${url}${pathname}${search}`)).text();
      const form = page.split('<form').find((part) => part.includes(`"user-login">${login}<`));
      if (form === undefined) throw new Error(`${login} cannot sign in: ${page.slice(-600)}`);
      const action = /action="([^"]*)"/.exec(form)?.[1] ?? '';
      const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [
          name,
          value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
        ],
      );
      const answer = await fetch(`${url}${action}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      return answer.headers.get('location') ?? '';
    },
    async close() {
      await Promise.all([server.close(), emulator.close()]);
    },
  };
}

/** Connects an integration through the portal and the provider's page, and returns the final address. */
export async function connectAt(
  emulator: Emulator,
  { app, person, integration, login }: { app: TestApp; person: Person; integration: string; login: string },
): Promise<string> {
  const { body } = await person.get(`/api/auth/${integration}`);
  if (typeof body !== 'object' || body === null || !('url' in body)) throw new Error(JSON.stringify(body));
  const back = new URL(await emulator.signIn(String(body.url), login));
  const done = await app.request(`${back.pathname}${back.search}`);
  return done.headers.get('location') ?? `${done.status} ${await done.text()}`;
}
