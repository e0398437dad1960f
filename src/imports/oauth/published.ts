// Asks a server what it says to strangers, and reads the documents that it publishes. Each answer is bounded in time and size.
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { readJson } from '../../egress/json.ts';
import { VERSION } from '../../ports/version.ts';
import { isSafe } from './addresses.ts';
import { readChallenge } from './challenge.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

export interface Ask {
  /** What the server answers to somebody without a credential. `isWanted`: it refuses them. */
  challenge(address: URL): Promise<ReturnType<typeof readChallenge> & { isWanted: boolean }>;
  /** Undefined when there is no document. */
  document(address: string): Promise<unknown>;
}

export function createAsk(egress: Pick<Egress, 'fetch'>, signal: AbortSignal): Ask {
  // A redirect is no answer: who can make a host redirect must not speak for that host.
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: 'manual', signal } as const;

  return {
    async challenge(address) {
      const response = await egress.fetch(address, {
        ...limits,
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        body: FIRST_REQUEST,
      });
      await response.body?.cancel();
      const header = response.headers.get('www-authenticate');
      return { ...readChallenge(header), isWanted: response.status === 401 };
    },

    async document(address) {
      const url = URL.parse(address);
      if (url === null || !isSafe(url)) return undefined;
      const response = await egress.fetch(url, { ...limits, headers: { accept: 'application/json' } });
      if (response.status !== 200) {
        await response.body?.cancel();
        return undefined;
      }
      return readDocument(response, url.host);
    },
  };
}

/** Undefined when the answer is no JSON: many sites answer every path with their own page. */
export async function readDocument(response: Response, host: string): Promise<unknown> {
  try {
    return await readJson(response, host);
  } catch (error) {
    if (error instanceof EgressFailure && error.reason === 'bad-answer') return undefined;
    throw error;
  }
}

const FIRST_REQUEST = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tool-gateway', version: VERSION },
  },
});
