// Finds what a protected resource and its authorization server publish about themselves. RFC 9728, RFC 8414; decision: 045
import * as z from 'zod';
import { hostOf, isSafe, MAX_ADDRESS } from './addresses.ts';
import { type Found, refuse } from './found.ts';
import type { Ask } from './published.ts';

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
export type Metadata = z.infer<typeof Metadata>;

/** Null when the server publishes nothing about itself. */
export async function findResource(
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
export async function findMetadata(
  ask: Ask,
  issuer: string,
  displayName: string,
): Promise<Found<Metadata | null>> {
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
export const defaultsAt = (origin: string): Metadata => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  code_challenge_methods_supported: ['S256'],
});
