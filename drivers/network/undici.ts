// Sends one upstream request with undici, to the vetted address only. Redirects and encodings are left to the
// caller.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { Network, UpstreamRequest, UpstreamResponse } from '../../src/ports/network.ts';
import { NotSent } from '../../src/ports/not-sent.ts';
import { createPinnedPools, isNotConnected } from './pinned-pools.ts';
import { createSystemLookUp } from './system-look-up.ts';
import { toWebStream } from './web-stream.ts';

const BODILESS = new Set([204, 205, 304]);

export function createUndiciNetwork(): Network {
  // The signal of each request limits its time: some answers begin after minutes.
  const pools = createPinnedPools({ headersTimeout: 0, bodyTimeout: 0 });
  const lookUp = createSystemLookUp(addressesOf);
  let closed = false;

  const send = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    const { url, method } = request;
    const headers: string[] = [];
    // The URL names the host, for the header and for TLS.
    for (const [name, value] of request.headers) if (name !== 'host') headers.push(name, value);
    request.signal.throwIfAborted();
    const sent = pools.poolFor(url.origin, [request.address]).request({
      method,
      path: url.pathname + url.search,
      headers,
      body:
        request.body instanceof ReadableStream
          ? Readable.from(request.body, { objectMode: false })
          : request.body,
      signal: request.signal,
    });
    const response = await orAborted(sent, request.signal);
    const bodiless = method === 'HEAD' || BODILESS.has(response.statusCode);
    if (bodiless) await response.body.dump();
    return {
      status: response.statusCode,
      headers: toHeaders(response.headers),
      body: bodiless ? null : toWebStream(response.body),
    };
  };

  return {
    resolve(hostname) {
      const literal = hostname.replace(/^\[(.*)\]$/, '$1');
      return isIP(literal) === 0 ? lookUp(hostname) : [literal];
    },
    async send(request) {
      try {
        if (closed) throw new NotSent('the gateway is stopping');
        return await send(request);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        const Failure = cause instanceof NotSent || isNotConnected(cause) ? NotSent : Error;
        throw new Failure(`[undici] ${request.method} ${request.url.origin} failed: ${why}`, { cause });
      }
    },
    close() {
      closed = true;
      return pools.close();
    },
  };
}

async function addressesOf(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map((found) => found.address);
  } catch (cause) {
    if (isNoSuchName(cause)) return [];
    throw new Error(`[undici] cannot resolve ${name}`, { cause });
  }
}

/** undici notices an abort only after it has connected. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function toHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received)) {
    if (typeof values === 'string') headers.append(name, values);
    else for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

function isNoSuchName(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
  );
}
