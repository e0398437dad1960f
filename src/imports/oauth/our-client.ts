// Says who the gateway is at the providers of imports: the addresses of its client metadata documents, and their content. decision: 045
import { isLoopbackHost, type Config } from '../../config/config.ts';
import { redirectUriOf, sharedRedirectUri } from '../../connections/oauth/provider.ts';

type Base = Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>;

export interface OurClient {
  clientId: string;
  redirectUri: string;
}

/** For providers that name themselves in each answer. */
export const sharedClient = (config: Base): OurClient => ({
  clientId: `${config.SERVER_PUBLIC_URL}/oauth/client.json`,
  redirectUri: sharedRedirectUri(config),
});

/** For providers that do not: people come back to an address that no other import has. RFC 9700 §4.4.2.2 */
export const clientOf = (name: string, config: Base): OurClient => ({
  clientId: `${config.SERVER_PUBLIC_URL}/oauth/clients/${name}.json`,
  redirectUri: redirectUriOf(name, config),
});

/** Whether the provider can fetch our documents. */
export function canShowDocuments(issuer: string, { SERVER_PUBLIC_URL, loopback }: Base): boolean {
  return loopback
    ? isLoopbackHost(new URL(issuer).hostname)
    : new URL(SERVER_PUBLIC_URL).protocol === 'https:';
}

/** What a provider learns about the gateway, from a document or at a registration. RFC 7591 §2 */
export function describeClient(
  { redirectUri }: OurClient,
  { SERVER_PUBLIC_URL, loopback }: Base,
  authMethod = 'none',
) {
  return {
    client_name: `Tool gateway at ${new URL(SERVER_PUBLIC_URL).host}`,
    ...(SERVER_PUBLIC_URL.startsWith('https:') ? { client_uri: SERVER_PUBLIC_URL } : {}),
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    // OpenID Connect Registration §2: a web client may not use http or loopback addresses.
    application_type: loopback ? 'native' : 'web',
  };
}

export const documentOf = (client: OurClient, config: Base) => ({
  client_id: client.clientId,
  ...describeClient(client, config),
});
