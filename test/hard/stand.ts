// Starts a gateway under test, with an upstream behind /c/resend whose behaviour depends on the path.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';

export type Started = Gateway & Banner;

export interface Stand {
  site: Site;
  start(env?: Record<string, string>): Promise<Started>;
  /** Connects the mail integration to the upstream and returns the owner's curl-session token. */
  curlToken(gateway: Started, headers: Record<string, string>): Promise<string>;
  /** Returns how many calls of this path reached the upstream. */
  asked(path: string): number;
  close(): Promise<void>;
}

export async function openStand(): Promise<Stand> {
  const site = await openSite();
  const asked = new Map<string, number>();
  const upstream = await startHttpServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    void behave(incoming, outgoing).catch(() => {});
  });
  return {
    site,
    asked: (path) => asked.get(path) ?? 0,
    start: (env = {}) =>
      site.start({
        env: { UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream.port}`, ...env },
      }),
    async curlToken(gateway, headers) {
      await gateway.request('/api/auth/apikey/resend', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"values":{"apiKey":"k"}}',
      });
      return (await call(gateway, headers, 'curl_session', { integrations: ['resend'], ttlSeconds: 3600 }))
        .token;
    },
    async close() {
      await site.close();
      await upstream.close();
    },
  };
}

const SLOW_MS = 2_000;
const BLOCK = randomBytes(1024 * 1024);

async function behave(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://upstream');
  const { socket } = incoming;
  switch (pathname) {
    case '/stall':
      return;
    case '/reset':
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', () => socket.resetAndDestroy());
      return;
    case '/lie':
      socket.end('HTTP/1.1 999 Odd\r\nContent-Length: zz\r\n\r\n');
      return;
    case '/flood':
    case '/down': {
      const blocks = Number(searchParams.get('mib') ?? Number.POSITIVE_INFINITY);
      await pipeline(function* () {
        for (let count = 0; count < blocks; count++) yield BLOCK;
      }, outgoing);
      return;
    }
    case '/up': {
      const hash = createHash('sha256');
      for await (const chunk of incoming) hash.update(chunk);
      outgoing.end(hash.digest('hex'));
      return;
    }
    case '/slow':
      setTimeout(() => outgoing.end('ok'), SLOW_MS);
      return;
    default:
      outgoing.end('ok');
  }
}

/** Returns the digest of this many blocks, as the upstream sends and expects them. */
export function digestOf(mebibytes: number): string {
  const hash = createHash('sha256');
  for (let count = 0; count < mebibytes; count++) hash.update(BLOCK);
  return hash.digest('hex');
}

export function blocks(mebibytes: number): ReadableStream<Uint8Array> {
  let left = mebibytes;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(BLOCK));
      else controller.close();
    },
  });
}
