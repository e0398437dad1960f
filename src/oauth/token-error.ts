// Declares the errors of the token endpoint on the wire. RFC 6749 §5.2
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { OAuthErrorCode } from '../http/error-codes.ts';

export interface TokenError {
  status: ContentfulStatusCode;
  error: OAuthErrorCode;
  /** Absent where a stranger must not learn the reason. */
  error_description?: string;
  headers?: Record<string, string>;
}

export function failure(error: OAuthErrorCode, error_description: string): TokenError {
  return { status: 400, error, error_description };
}
