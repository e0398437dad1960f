// Clients that are a document at an https address: fetched through the door, checked, kept for a while. design: O7
import * as z from 'zod';
import { createGate } from '../auth/gate.ts';
import type { Deps } from '../deps.ts';
import { EgressFailure } from '../egress/failure.ts';
import { readJson } from '../egress/json.ts';
import { describe } from '../errors.ts';
import {
  CLIENT_DOCUMENT_SECONDS,
  CLIENT_DOCUMENTS,
  OAUTH_BODY_BYTES,
  PROVIDER_TIMEOUT_MS,
} from '../limits.ts';
import type { OAuthClient } from '../ports/records.ts';
import { readRegistration } from './registration.ts';

export interface ClientDocuments {
  /** Null where there is no such document, or not a good one. */
  get(clientId: string): Promise<OAuthClient | null>;
}

const AT_ONCE = 4;

const Document = z.looseObject({
  client_id: z.string(),
  token_endpoint_auth_method: z.literal('none').optional(),
  // A public client has none, and one that is published is none.
  client_secret: z.undefined().optional(),
});

/** An https address with a path, written as it is understood. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId)) return false;
  const { href, pathname, username, password, hash } = new URL(clientId);
  return href === clientId && pathname !== '/' && username === '' && password === '' && hash === '';
}

export function createClientDocuments({
  clock,
  egress,
  log,
}: Pick<Deps, 'clock' | 'egress' | 'log'>): ClientDocuments {
  // Anybody can name an address: a few at a time are asked, the others wait.
  const gate = createGate(AT_ONCE);
  const kept = new Map<string, { client: OAuthClient; until: number }>();

  async function fetchDocument(clientId: string): Promise<OAuthClient | null> {
    const { host } = new URL(clientId);
    const response = await egress.fetch(clientId, {
      headers: { accept: 'application/json' },
      timeoutMs: PROVIDER_TIMEOUT_MS,
      maxBytes: OAUTH_BODY_BYTES,
      // Whoever can make a host redirect must not be able to speak for it.
      redirects: 'manual',
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return null;
    }
    const document = Document.safeParse(await readJson(response, host));
    if (!document.success || document.data.client_id !== clientId) return null;
    const read = readRegistration(document.data, false);
    if ('reason' in read) return null;
    return { client_id: clientId, ...read.registration, created_at: clock.now() };
  }

  return {
    async get(clientId) {
      const found = kept.get(clientId);
      if (found !== undefined && found.until > clock.now()) return found.client;
      kept.delete(clientId);
      try {
        const client = await gate(() => fetchDocument(clientId));
        if (client === null) return null;
        const [oldest] = kept.keys();
        if (kept.size >= CLIENT_DOCUMENTS && oldest !== undefined) kept.delete(oldest);
        kept.set(clientId, { client, until: clock.now() + CLIENT_DOCUMENT_SECONDS });
        return client;
      } catch (error) {
        if (!(error instanceof EgressFailure)) throw error;
        log.write('warn', 'client document failed', describe(error));
        return null;
      }
    },
  };
}
