// Resolves clients that are a document at an https address: fetched through the egress guard, checked, cached
// for a while. decision: 020
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import { EgressFailure } from '../egress/failure.ts';
import { readJson } from '../egress/json.ts';
import { describe } from '../http/errors.ts';
import { CLIENT_DOCUMENT_SECONDS, CLIENT_DOCUMENTS } from './limits.ts';
import { OAUTH_BODY_BYTES } from '../http/limits.ts';
import { PROVIDER_TIMEOUT_MS } from '../login/limits.ts';
import type { OAuthClient } from '../ports/records.ts';
import { Unavailable } from '../ports/unavailable.ts';
import { readRegistration } from './registration.ts';

export interface ClientDocuments {
  /** Null when there is no valid document; throws Unavailable while too many are being fetched. */
  get(clientId: string): Promise<OAuthClient | null>;
}

const MAX_FETCHES = 64;
const MAX_FETCHES_PER_SITE = 4;

const Document = z.looseObject({
  client_id: z.string(),
  token_endpoint_auth_method: z.literal('none').optional(),
  // A public client has no secret, and a published secret would not be one.
  client_secret: z.undefined().optional(),
});

/** Accepts an https address with a path, in its normalized spelling. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId)) return false;
  const { href, pathname, username, password, hash } = new URL(clientId);
  return href === clientId && pathname !== '/' && username === '' && password === '' && hash === '';
}

export function createClientDocuments({
  clock,
  egress,
  log,
}: Pick<Ports, 'clock' | 'log'> & { egress: Egress }): ClientDocuments {
  const kept = new Map<string, { client: OAuthClient; until: number }>();
  const underWay = new Map<string, { site: string; document: Promise<OAuthClient | null> }>();

  async function fetchDocument(clientId: string): Promise<OAuthClient | null> {
    const { host } = new URL(clientId);
    const response = await egress.fetch(clientId, {
      headers: { accept: 'application/json' },
      timeoutMs: PROVIDER_TIMEOUT_MS,
      maxBytes: OAUTH_BODY_BYTES,
      // Redirects are not followed: whoever can make a host redirect must not speak for that host.
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

  async function load(clientId: string): Promise<OAuthClient | null> {
    try {
      const client = await fetchDocument(clientId);
      if (client === null) return null;
      const [oldest] = kept.keys();
      if (kept.size >= CLIENT_DOCUMENTS && oldest !== undefined) kept.delete(oldest);
      kept.set(clientId, { client, until: clock.millis() + CLIENT_DOCUMENT_SECONDS * 1000 });
      return client;
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      log.write('warn', 'client document failed', describe(error));
      return null;
    } finally {
      underWay.delete(clientId);
    }
  }

  // Anybody can name an address, so each site has a limited share of the fetches, and no request waits for a
  // free one.
  function refuseTooMany(site: string): void {
    if (underWay.size >= MAX_FETCHES) throw new Unavailable('Too many client documents are being fetched');
    const ofSite = [...underWay.values()].filter((each) => each.site === site).length;
    if (ofSite >= MAX_FETCHES_PER_SITE)
      throw new Unavailable(`Too many client documents of ${site} are being fetched`);
  }

  return {
    async get(clientId) {
      const found = kept.get(clientId);
      if (found !== undefined && found.until > clock.millis()) return found.client;
      kept.delete(clientId);
      const fetching = underWay.get(clientId);
      if (fetching !== undefined) return fetching.document;
      const site = siteOf(new URL(clientId));
      refuseTooMany(site);
      const document = load(clientId);
      underWay.set(clientId, { site, document });
      return document;
    },
  };
}

/**
 * The site is the last two labels of a name, because its owner can create any number of hosts below it. An IP
 * address is a site of its own.
 */
function siteOf({ hostname }: URL): string {
  const name = hostname.replace(/\.$/, '');
  return /^[\d.]+$/.test(name) ? name : name.split('.').slice(-2).join('.');
}
