// Finds the authorization server of an MCP server: by its challenge or its well-known addresses, then by the metadata. decision: 108
import * as z from 'zod';
import { isLoopbackHost } from '../../config/config.ts';
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { readJson } from '../../egress/json.ts';
import { readChallenge, readScopes } from './challenge.ts';

export interface AuthorizationServer {
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  registerUrl: string | null;
  revokeUrl: string | null;
  /** Each answer names the issuer. RFC 9207 §2.3 */
  sendsIssuer: boolean;
  takesDocuments: boolean;
  /** The ways in which clients authenticate; null when the server does not say. */
  clientAuth: readonly string[] | null;
  /** What tokens are asked for. RFC 8707 */
  resource: string;
  /** Those of the challenge. */
  neededScopes: readonly string[];
  /** Those that the server offers, for a client that knows no better. */
  offeredScopes: readonly string[];
  offersOffline: boolean;
  /** Nobody publishes anything: the addresses are those of version 2025-03-26. */
  isGuess: boolean;
}

export type Found<T> = { ok: true; value: T } | { ok: false; message: string };

const TIMEOUT_MS = 10_000;
const ALL_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
const MAX_ADDRESS = 2_048;

const texts = z.array(z.string()).max(1_000);

const Resource = z.object({
  resource: z.string().max(MAX_ADDRESS),
  authorization_servers: texts.optional(),
  scopes_supported: texts.optional().catch(undefined),
});

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  code_challenge_methods_supported: texts.optional(),
  token_endpoint_auth_methods_supported: texts.optional(),
  scopes_supported: texts.optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
});
type Metadata = z.infer<typeof Metadata>;

/** `preferred` is an issuer to choose where the server offers several. */
export async function findAuthorizationServer(
  egress: Pick<Egress, 'fetch'>,
  address: string,
  displayName: string,
  preferred: string | null,
): Promise<Found<AuthorizationServer>> {
  const signal = AbortSignal.timeout(ALL_MS);
  try {
    return await find(createAsk(egress, signal), new URL(address), displayName, preferred);
  } catch (error) {
    if (signal.aborted)
      return refuse(
        `${displayName} and its provider did not answer within ${ALL_MS / 1000} seconds. Try again.`,
      );
    if (error instanceof EgressFailure) return refuse(`${displayName} cannot be connected: ${error.message}`);
    throw error;
  }
}

async function find(
  ask: Ask,
  address: URL,
  displayName: string,
  preferred: string | null,
): Promise<Found<AuthorizationServer>> {
  if (!isSafe(address)) return refuse(`${displayName} needs an https address, because it gets a credential.`);
  const challenge = await ask.challenge(address);
  const resource = await findResource(ask, address, challenge.resourceMetadata, displayName);
  if (!resource.ok) return resource;
  const named = resource.value?.authorization_servers ?? [];
  const issuer = named.find((each) => each === preferred) ?? named[0];
  // Version 2025-03-26 of MCP knew no resource metadata: the server's origin was the authorization server.
  const metadata =
    issuer === undefined
      ? await findMetadata(ask, address.origin, displayName)
      : await findMetadata(ask, issuer, displayName);
  if (!metadata.ok) return metadata;
  if (metadata.value === null && issuer !== undefined)
    return refuse(
      `The provider of ${displayName}, ${hostOf(issuer)}, publishes nothing that a client can sign in with. Ask the people who run ${displayName} for a client id or an API key.`,
    );
  if (metadata.value === null && !challenge.isWanted)
    return refuse(
      `${displayName} does not ask for a sign-in. Change how the import authenticates, or leave the sign-in out.`,
    );
  return describeServer(metadata.value ?? defaultsAt(address.origin), {
    resource: resource.value?.resource ?? nameOf(address),
    neededScopes: challenge.scopes,
    offeredScopes: readScopes(resource.value?.scopes_supported),
    isGuess: metadata.value === null,
    displayName,
  });
}

/** Null when the server publishes nothing about itself. */
async function findResource(
  ask: Ask,
  address: URL,
  given: string | undefined,
  displayName: string,
): Promise<Found<z.infer<typeof Resource> | null>> {
  const path = address.pathname === '/' ? '' : address.pathname;
  const known = ['', ...(path === '' ? [] : [path])]
    .toReversed()
    .map((each) => `${address.origin}/.well-known/oauth-protected-resource${each}`);
  for (const place of new Set([...(given === undefined ? [] : [given]), ...known])) {
    const document = await ask.document(place);
    const parsed = Resource.safeParse(document);
    if (!parsed.success) continue;
    // RFC 9728 §3.3
    if (!isServerIn(parsed.data.resource, address))
      return refuse(
        `${displayName} describes itself as another server, ${hostOf(parsed.data.resource)}, so nothing is sent to its provider. Check the address of the import.`,
      );
    return { ok: true, value: parsed.data };
  }
  return { ok: true, value: null };
}

/** Whether the name of a protected resource is the address, or a place above it. */
export function isServerIn(resource: string, address: URL): boolean {
  const named = URL.parse(resource);
  if (named === null || named.origin !== address.origin || named.hash !== '') return false;
  if (named.search !== '' && named.search !== address.search) return false;
  const above = named.pathname.endsWith('/') ? named.pathname : `${named.pathname}/`;
  return `${address.pathname}/`.startsWith(above);
}

/**
 * Null when the issuer publishes nothing. This does not use oauth4webapi: the library asks two of the three places only,
 * wants a media type that many servers do not send, and normalises issuers before it compares them.
 */
async function findMetadata(ask: Ask, issuer: string, displayName: string): Promise<Found<Metadata | null>> {
  const url = URL.parse(issuer);
  if (url === null || url.search !== '' || url.hash !== '' || !isSafe(url))
    return refuse(`${displayName} names a provider whose address cannot be used: ${issuer.slice(0, 200)}`);
  const path = url.pathname.replace(/\/$/, '');
  const places = [
    // RFC 8414 §3.1, its §5, and OpenID Connect Discovery §4
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    `${url.origin}${path}/.well-known/openid-configuration`,
  ];
  let other: string | null = null;
  for (const place of new Set(places)) {
    const parsed = Metadata.safeParse(await ask.document(place));
    if (!parsed.success) continue;
    // RFC 8414 §3.3. An issuer may be listed with a slash at its end that it does not have itself.
    if (parsed.data.issuer === issuer || `${parsed.data.issuer}/` === issuer)
      return { ok: true, value: parsed.data };
    other = parsed.data.issuer;
  }
  if (other === null) return { ok: true, value: null };
  return refuse(
    `The provider of ${displayName} calls itself ${other.slice(0, 200)} instead of ${issuer.slice(0, 200)}, so it cannot be trusted. The people who run ${displayName} have to correct that.`,
  );
}

/** The paths of version 2025-03-26 for a server without metadata. */
const defaultsAt = (origin: string): Metadata => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  code_challenge_methods_supported: ['S256'],
});

function describeServer(
  metadata: Metadata,
  {
    displayName,
    ...asked
  }: Pick<AuthorizationServer, 'resource' | 'neededScopes' | 'offeredScopes' | 'isGuess'> & {
    displayName: string;
  },
): Found<AuthorizationServer> {
  const issuerHost = hostOf(metadata.issuer);
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    return refuse(
      `The provider of ${displayName}, ${issuerHost}, does not say that it supports PKCE with S256, which a safe sign-in needs.`,
    );
  const [authorizeUrl, tokenUrl, registerUrl, revokeUrl] = [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.registration_endpoint,
    metadata.revocation_endpoint,
  ].map((endpoint) => (endpoint === undefined ? null : readEndpoint(endpoint)));
  if (!authorizeUrl || !tokenUrl || registerUrl === undefined || revokeUrl === undefined)
    return refuse(
      `The provider of ${displayName}, ${issuerHost}, has an address that is not https, so no secret is sent there.`,
    );
  return {
    ok: true,
    value: {
      ...asked,
      issuer: metadata.issuer,
      authorizeUrl,
      tokenUrl,
      registerUrl,
      revokeUrl,
      sendsIssuer: metadata.authorization_response_iss_parameter_supported === true,
      takesDocuments: metadata.client_id_metadata_document_supported === true,
      clientAuth: metadata.token_endpoint_auth_methods_supported ?? null,
      offersOffline: metadata.scopes_supported?.includes('offline_access') === true,
    },
  };
}

/** Undefined when the address cannot be used. */
export function readEndpoint(endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (url === null || !isSafe(url) || url.hash !== '' || url.href.length > MAX_ADDRESS) return undefined;
  // Braces would look like the placeholders of a manifest.
  return url.href.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

function isSafe({ protocol, hostname, username, password }: URL): boolean {
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isPrivate && username === '' && password === '';
}

/** The name of a server that does not say its own. The specification of MCP wants no slash at the end. */
function nameOf({ origin, pathname, search }: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}${search}`;
}

const hostOf = (address: string): string => URL.parse(address)?.host || address.slice(0, 200);

const refuse = (message: string): { ok: false; message: string } => ({ ok: false, message });

interface Ask {
  /** What the server answers to somebody without a credential. `isWanted`: it refuses them. */
  challenge(address: URL): Promise<ReturnType<typeof readChallenge> & { isWanted: boolean }>;
  /** Undefined when there is no document. */
  document(address: string): Promise<unknown>;
}

function createAsk(egress: Pick<Egress, 'fetch'>, signal: AbortSignal): Ask {
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
      try {
        return await readJson(response, url.host);
      } catch (error) {
        // Many sites answer every path with their own page.
        if (error instanceof EgressFailure && error.reason === 'bad-answer') return undefined;
        throw error;
      }
    },
  };
}

const FIRST_REQUEST = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tool-gateway', version: '0.2.0' },
  },
});
