// Builds the 401 challenge of the machine surfaces. reference: Challenge
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
