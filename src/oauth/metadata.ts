// The metadata of the authorization server and the protected resource. reference: OAuth metadata; Client registration; Authorization requests; Token endpoint
import type { Config } from '../config/config.ts';
import { acceptsAssertions } from '../login/providers.ts';
import { JWT_BEARER } from './assertion-grant.ts';
import { CLIENT_ALGORITHMS } from './machines/public-key.ts';

export function resourceMetadata(
  { SERVER_PUBLIC_URL: base }: Pick<Config, 'SERVER_PUBLIC_URL'>,
  path = '/mcp',
) {
  return {
    resource: `${base}${path}`,
    authorization_servers: [base],
    bearer_methods_supported: ['header'],
    scopes_supported: ['mcp'],
  };
}

const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

/** How a machine client proves who it is. reference: Client credentials */
const CLIENT_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

// RFC 8414. The support for `iss` (RFC 9207) is deliberately not advertised. decision: 020
export function serverMetadata(config: Config, machines: { clients: boolean; issuers: boolean }) {
  const { SERVER_PUBLIC_URL: base, OAUTH_CIMD } = config;
  const assertions = acceptsAssertions(config);
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ['code'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      ...(assertions || machines.issuers ? [JWT_BEARER] : []),
      ...(machines.clients ? ['client_credentials'] : []),
    ],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', ...(machines.clients ? CLIENT_METHODS : [])],
    scopes_supported: ['mcp'],
    // RFC 8414 §2: private_key_jwt needs it.
    ...(machines.clients ? { token_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS } : {}),
    // Without these two the metadata of a gateway without machines has exactly the keys above. reference: OAuth metadata; decision: 020
    ...(assertions ? { authorization_grant_profiles_supported: [ID_JAG_PROFILE] } : {}),
    ...(OAUTH_CIMD ? { client_id_metadata_document_supported: true } : {}),
  };
}
