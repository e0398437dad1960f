// Sends one upstream request with the platform's fetch. The platform resolves names again, so a vetted
// address cannot be pinned here: the platform itself guarantees that only public addresses are reached
// (Workers have no way into private ranges).
import { NotSent } from '../../src/ports/not-sent.ts';
import type { Network, UpstreamRequest, UpstreamResponse } from '../../src/ports/network.ts';

export interface FetchNetwork {
  fetch: typeof fetch;
  /** Returns every address of a name that is neither an address itself nor this machine. */
  lookUp: (name: string) => Promise<string[]>;
}

// The platform decodes these encodings itself.
const UNPACKED = new Set(['gzip', 'br']);
const BODILESS = new Set([101, 204, 205, 304]);

export function createFetchNetwork({ fetch, lookUp }: FetchNetwork): Network {
  async function send({ method, url, headers, body, signal }: UpstreamRequest): Promise<UpstreamResponse> {
    const sent = new Headers(headers);
    // The platform sets the host header from the URL.
    sent.delete('host');
    const init: RequestInit & { duplex: 'half' } = {
      method,
      headers: sent,
      body,
      signal,
      redirect: 'manual',
      // A response to one person's credential must not enter a shared data-centre cache.
      cache: 'no-store',
      duplex: 'half',
    };
    const response = await fetch(url, init);
    const kept = new Headers(response.headers);
    if (UNPACKED.has(kept.get('content-encoding')?.trim().toLowerCase() ?? '')) {
      kept.delete('content-encoding');
      kept.delete('content-length');
    }
    const bodiless = method === 'HEAD' || BODILESS.has(response.status);
    return { status: response.status, headers: kept, body: bodiless ? null : response.body };
  }

  return {
    async resolve(hostname) {
      const literal = /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname;
      if (literal.includes(':') || /^\d+(\.\d+){3}$/.test(literal)) return [literal];
      // RFC 6761 §6.3
      if (/(^|\.)localhost\.?$/i.test(literal)) return ['127.0.0.1'];
      return lookUp(literal);
    },
    async send(request) {
      try {
        return await send(request);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        const Failure = isNotConnected(cause) ? NotSent : Error;
        throw new Failure(`[fetch] ${request.method} ${request.url.origin} failed: ${why}`, { cause });
      }
    },
    close: async () => {},
  };
}

/** Platforms say it with a code or with words. Of anything else the request may have arrived. */
const NO_CONNECTION =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|CERT|TLS|SSL|SIGNATURE|DNS|refused/i;

function isNotConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return NO_CONNECTION.test(code === '' ? error.message : code);
}
