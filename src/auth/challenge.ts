// Builds the 401 challenge of the machine surfaces. reference: Challenge
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';

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

/** What a caller without a valid credential is told. */
export const refuseStranger = ({ resourceMetadata, headers }: BearerChallenge): HttpError =>
  new HttpError(401, { error: ErrorText.UNAUTHORIZED, resource_metadata: resourceMetadata }, headers);
