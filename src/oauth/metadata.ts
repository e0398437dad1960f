// The metadata of the authorization server and the protected resource. reference: OAuth metadata; Client registration; Authorization requests; Token endpoint
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

// RFC 8414. The support for `iss` (RFC 9207) is deliberately not advertised. decision: 042
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
    // Without it the metadata has exactly the keys above. reference: OAuth metadata; decision: 045
    ...(OAUTH_CIMD ? { client_id_metadata_document_supported: true } : {}),
  };
}
