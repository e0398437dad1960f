// The metadata of the authorization server and the protected resource. spec: OAuth 2.1 authorization server
import type { Config } from '../config/config.ts';

type Needs = Pick<Config, 'SERVER_PUBLIC_URL' | 'OAUTH_CIMD'>;

export function resourceMetadata({ SERVER_PUBLIC_URL: base }: Needs) {
  return {
    resource: `${base}/mcp`,
    authorization_servers: [base],
    bearer_methods_supported: ['header'],
    scopes_supported: ['mcp'],
  };
}

// RFC 8414. The support for `iss` (RFC 9207) is deliberately not advertised. design: O4
export function serverMetadata({ SERVER_PUBLIC_URL: base, OAUTH_CIMD }: Needs) {
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['mcp'],
    // design: O7, without it exactly the specified keys
    ...(OAUTH_CIMD ? { client_id_metadata_document_supported: true } : {}),
  };
}
