// Runs the curl proxy on a real socket, before an upstream that the test defines.
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { serve } from '../../adapters/node/server.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createApp } from '../../src/app.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { listen } from './listen.ts';
import { type RawAnswer, sendRaw } from './raw-http.ts';
import { createTestApp, type TestApp, type TestUser } from './test-app.ts';

type Ask = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; duplex?: 'half' };
type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

export interface Stage {
  app: TestApp;
  ana: TestUser;
  /** The origin of the proxy. */
  base: string;
  port: number;
  /** The requests that reached the upstream, in order. */
  seen: { method: string; url: string; headers: IncomingMessage['headers']; raw: string[] }[];
  /** Replaces the upstream's listener. */
  answer(listener: Answer): void;
  token(session?: object): Promise<string>;
  /** Calls through the proxy, with a new token for all integrations unless the headers contain one. */
  get(path: string, init?: Ask): Promise<Response>;
  /** Calls through the proxy with exactly this target in the request line. */
  raw(target: string, method?: string): Promise<RawAnswer>;
  close(): Promise<void>;
}

interface Options {
  /** Absent: a clock that stands still until the test moves it. */
  clock?: 'real' | Clock;
  headersTimeout?: number;
  env?: Record<string, string>;
}

function clockOf({ clock }: Options): { clock?: Clock } {
  if (clock === undefined) return {};
  return { clock: clock === 'real' ? createSystemClock(setImmediate) : clock };
}

export async function openStage(options: Options = {}): Promise<Stage> {
  let current: Answer = (_, outgoing) => outgoing.end('ok');
  const seen: Stage['seen'] = [];
  const upstream = createServer((incoming, outgoing) => {
    seen.push({
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      raw: incoming.rawHeaders,
    });
    void current(incoming, outgoing);
  });
  const upstreamPort = await listen(upstream);
  const app = await createTestApp({
    env: {
      ...options.env,
      JOTS_ORIGIN: 'http://jots.localhost',
      VAULTED_CLIENT_ID: 'id',
      VAULTED_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: `https://vaulted.example=http://127.0.0.1:${upstreamPort},https://eu.keyed.example=http://127.0.0.1:${upstreamPort}`,
    },
    ports: clockOf(options),
  });
  const ana = await app.user();
  await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'upstream-token' });
  await app.deps.vault.save(ana.id, 'keyed', { accessToken: '{"apiKey":"k"}', config: { region: 'eu' } });
  const cookies = [
    { name: 'sid', value: 'c', domain: '127.0.0.1', path: '/', expires: -1, secure: false, httpOnly: true },
  ];
  await app.deps.vault.save(ana.id, 'jar', {
    accessToken: 'cookie-auth',
    cookies: JSON.stringify({ v: 1, cookies, capturedAt: 1 }),
    config: { instanceUrl: `http://127.0.0.1:${upstreamPort}` },
  });
  const proxy = createCurlProxy(app.deps, options);
  const { clock } = app.deps;
  const beside = { proxy, jotFiles: createJotFiles(app.deps), clock };
  const server = await serve(createApp(app.deps).fetch, beside, 0);
  const base = `http://127.0.0.1:${server.port}`;

  function issue({ ...session }: object = {}): Promise<string> {
    const all = {
      userId: ana.id,
      actor: PERSONAL_KEY,
      integrations: ['vaulted', 'keyed', 'jar'],
    };
    return app.deps.curlTokens.issue({ ...all, ...session }, 900);
  }

  return {
    app,
    ana,
    base,
    port: server.port,
    seen,
    answer: (listener) => void (current = listener),
    token: issue,
    get: async (path, init = {}) =>
      fetch(`${base}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { ...bearer(await issue()), ...init.headers },
      }),
    raw: async (target, method = 'GET') =>
      sendRaw(
        server.port,
        `${method} ${target} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer ${await issue()}\r\nConnection: close\r\n\r\n`,
      ),
    async close() {
      upstream.closeAllConnections();
      await new Promise((resolve) => upstream.close(resolve));
      await server.stop();
      await proxy.close();
      await app.deps.audit.flush();
      await app.close();
    },
  };
}
