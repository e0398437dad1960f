// Builds the 401 challenge of the machine surfaces. reference: Challenge
export interface BearerChallenge {
  resourceMetadata: string;
  headers: { 'WWW-Authenticate': string };
}

/** `path` is that of a resource with metadata of its own. RFC 9728 §3.1 */
export function createChallenge(base: string, path = ''): BearerChallenge {
  const resourceMetadata = `${base}/.well-known/oauth-protected-resource${path}`;
  return {
    resourceMetadata,
    headers: { 'WWW-Authenticate': `Bearer realm="service", resource_metadata="${resourceMetadata}"` },
  };
}
