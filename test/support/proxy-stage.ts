// The curl proxy on a real socket, before an upstream that a test writes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createApp } from '../../src/app.ts';
import { listen } from './listen.ts';
import { createTestApp, type TestApp, type TestUser } from './test-app.ts';

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export interface Stage {
  app: TestApp;
  ana: TestUser;
  /** Where the proxy listens. */
  base: string;
  port: number;
  /** What the upstream has been asked, in order. */
  seen: { method: string; url: string; headers: IncomingMessage['headers']; raw: string[] }[];
  /** What it answers from now on. */
  answer(listener: Answer): void;
  token(session?: object): Promise<string>;
  close(): Promise<void>;
}

export async function openStage(options: { clock?: 'real'; headersTimeout?: number } = {}): Promise<Stage> {
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
      VAULTED_CLIENT_ID: 'id',
      VAULTED_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: `https://vaulted.example=http://127.0.0.1:${upstreamPort},https://eu.keyed.example=http://127.0.0.1:${upstreamPort}`,
    },
    ports: options.clock === 'real' ? { clock: createSystemClock(setImmediate) } : {},
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
  const server = await serve(createApp(app.deps).fetch, proxy, 0);

  return {
    app,
    ana,
    base: `http://127.0.0.1:${server.port}`,
    port: server.port,
    seen,
    answer: (listener) => void (current = listener),
    token: ({ ...session } = {}) =>
      app.deps.curlTokens.issue(
        { userId: ana.id, integrations: ['vaulted', 'keyed', 'jar'], ...session },
        900,
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
