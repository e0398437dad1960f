// Finds the authorization server of an MCP server: by its challenge or its well-known addresses, then by the metadata. decision: 045
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { hostOf, isSafe, nameOf, readEndpoint } from './addresses.ts';
import { readScopes } from './challenge.ts';
import { type Found, refuse } from './found.ts';
import { defaultsAt, findMetadata, findResource, type Metadata } from './metadata.ts';
import { type Ask, createAsk } from './published.ts';

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

const ALL_MS = 30_000;

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
