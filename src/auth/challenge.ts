// Builds the 401 challenge of the machine surfaces. spec: Unauthenticated challenge
export interface BearerChallenge {
  resourceMetadata: string;
  headers: { 'WWW-Authenticate': string };
}

export function createChallenge(base: string): BearerChallenge {
  const resourceMetadata = `${base}/.well-known/oauth-protected-resource`;
  return {
    resourceMetadata,
    headers: { 'WWW-Authenticate': `Bearer realm="service", resource_metadata="${resourceMetadata}"` },
  };
}
